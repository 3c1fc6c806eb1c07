/** What has a tooltip: an element that shows its name as `data-tip`, and a time, which is told in full. */
export const withTooltip = '[data-tip], time'

/** Loads tooltips with the first element that has one; if that fails, with the next. */
export function startTooltips(): void {
  const load = ({ target }: Event) => {
    if (target instanceof Element && target.closest(withTooltip)) import('./tooltip.ts').then(stop, () => {})
  }
  const events = ['pointerover', 'focusin']
  for (const event of events) document.addEventListener(event, load)
  const stop = () => {
    for (const event of events) document.removeEventListener(event, load)
  }
}
