dist_man_MANS = %D%/rill.7
