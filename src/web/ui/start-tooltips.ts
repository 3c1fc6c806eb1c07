import { withTooltip } from './with-tooltip.ts'

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
