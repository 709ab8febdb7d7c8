dist_man_MANS = %D%/rill.1 %D%/rill.7
