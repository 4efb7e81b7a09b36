"""Figures of results, on matplotlib's axes and in the look of the HTML pages.

Each function draws on ``ax``, or on a new figure where that is None, and returns the axes, which can be changed
further. matplotlib is imported when the first figure is drawn; ``pip install 'wordbreadth[plot]'`` installs it.
"""

from wordbreadth.plot._calibration import calibration
from wordbreadth.plot._clouds import clouds
from wordbreadth.plot._null import null
from wordbreadth.plot._ranking import ranking
from wordbreadth.plot._volcano import volcano

__all__ = ["calibration", "clouds", "null", "ranking", "volcano"]
