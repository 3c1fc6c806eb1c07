/** What has a tooltip: an element that shows its name as `data-tip`, and a time, which is told in full. */
export const withTooltip = '[data-tip], time'
