import wordbreadth


def test_the_version_is_that_of_the_library():
    assert wordbreadth.__version__.count(".") == 2
