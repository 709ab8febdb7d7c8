# SPDX-License-Identifier: Apache-2.0
"""What pytest.sh runs: tests of which it knows how each is to end."""
import ctypes
import os

import pytest

COUNT = 1024


@pytest.fixture
def cuda():
    """The driver, with a current context."""
    driver = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()
    assert driver.cuInit(0) == 0
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    yield driver
    assert driver.cuDevicePrimaryCtxRelease_v2(0) == 0


def made(create, *arguments):
    handle = ctypes.c_void_p()
    assert create(ctypes.byref(handle), *arguments) == 0
    return handle


def fill_and_copy(cuda, ordered):
    """Fills x in one stream and copies it in another one."""
    x, y = (made(cuda.cuMemAlloc_v2, ctypes.c_size_t(4 * COUNT)) for _ in range(2))
    fills, copies = (made(cuda.cuStreamCreate, 1) for _ in range(2))
    filled = made(cuda.cuEventCreate, 2)
    assert cuda.cuMemsetD32Async(x, 7, ctypes.c_size_t(COUNT), fills) == 0
    if ordered:
        assert cuda.cuEventRecord(filled, fills) == 0
        assert cuda.cuStreamWaitEvent(copies, filled, 0) == 0
    assert cuda.cuMemcpyDtoDAsync_v2(y, x, ctypes.c_size_t(4 * COUNT), copies) == 0
    found = (ctypes.c_uint32 * COUNT)()
    assert cuda.cuStreamSynchronize(copies) == 0
    assert cuda.cuMemcpyDtoH_v2(found, y, ctypes.c_size_t(4 * COUNT)) == 0
    return list(found)


@pytest.mark.rill
def test_ordered(cuda):
    assert fill_and_copy(cuda, True) == [7] * COUNT


@pytest.mark.rill
def test_unordered(cuda):
    fill_and_copy(cuda, False)  # the result may well be right


@pytest.mark.rill(check=False, schedules=30)
def test_every_order(cuda):
    assert fill_and_copy(cuda, True) == [7] * COUNT


@pytest.mark.rill(check=False, schedules=30)
def test_some_order(cuda):
    assert fill_and_copy(cuda, False) == [7] * COUNT


@pytest.mark.rill(devices=3)
def test_devices(cuda):
    count = ctypes.c_int()
    assert cuda.cuDeviceGetCount(ctypes.byref(count)) == 0
    assert count.value == 3


@pytest.mark.rill
@pytest.mark.parametrize("word", ["one", "a b"])
def test_words(word):
    assert word != "one"


@pytest.mark.rill
def test_skipped():
    pytest.skip("nothing to do")


@pytest.mark.rill
@pytest.mark.xfail
def test_expected():
    raise AssertionError


@pytest.mark.rill
def test_crash():
    os.abort()


@pytest.mark.rill(checks=True)
def test_misspelt():
    pass


def test_without():
    assert "RILL_LAYERS" not in os.environ
