// Every figure: structs with the data in, svg_of() for the picture.
#pragma once

#include "report/figures/dot_plot.h"
#include "report/figures/histogram.h"
#include "report/figures/line_chart.h"
#include "report/figures/scatter_plot.h"
