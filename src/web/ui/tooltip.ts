import { currentTimeZone } from '../browser/time-zone.ts'
import { withTooltip } from './with-tooltip.ts'

/*
 * The one tooltip of the page. It appears on hover and keyboard focus, can itself be hovered, and closes with Escape
 * (WCAG 1.4.13).
 */
const opensAfterMs = 400
const closesAfterMs = 100
/** Of the top bar: there, the tooltip stands below the element. */
const barHeight = 48
/** At least this is between its middle and the edge of the window. */
const sideRoom = 80
const gap = 6

const look =
  'fixed z-[70] max-w-72 animate-fade -translate-x-1/2 whitespace-pre-line rounded-sm border border-line bg-surface-3 px-2 py-1 text-meta text-text shadow-overlay'

const tooltip = document.createElement('span')
tooltip.id = 'tooltip'
tooltip.setAttribute('role', 'tooltip')

let anchor: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout>

// While the tooltip is shown, its element may go, or get another name, such as "Copied".
const changes = new MutationObserver(() => (anchor?.isConnected ? write(anchor) : hide()))

/** To the second: in the reader's time zone, and in UTC where that is another one. */
async function fullTimeText(at: number): Promise<string> {
  // Sign-in pages have no times.
  const { preciseTimeText } = await import('../time/time-text.ts')
  const timeZone = currentTimeZone()
  const local = `${preciseTimeText(at, timeZone)} ${timeZone.replaceAll('_', ' ')}`
  return timeZone === 'UTC' ? local : `${local}\n${preciseTimeText(at, 'UTC')} UTC`
}

/** Without the server, a time has no tooltip; the next hover asks again. */
const write = (element: HTMLElement): void => void writeText(element).catch(hide)

async function writeText(element: HTMLElement): Promise<void> {
  const name = element.dataset['tip']
  const text = name ?? (await fullTimeText(Date.parse((element as HTMLTimeElement).dateTime) / 1000))
  if (element !== anchor) return
  if (tooltip.textContent !== text) tooltip.textContent = text
  // Of an element that it names, it says nothing new to a screen reader.
  tooltip.ariaHidden = name === undefined ? null : 'true'
  if (name === undefined) element.setAttribute('aria-describedby', tooltip.id)
  if (!tooltip.isConnected) place(element)
}

function show(element: HTMLElement): void {
  if (!element.isConnected) return
  anchor = element
  write(element)
}

function place(element: HTMLElement): void {
  const box = element.getBoundingClientRect()
  const isBelow = box.top < barHeight
  tooltip.className = `${look} ${isBelow ? '' : '-translate-y-full'}`
  tooltip.style.left = `${Math.min(Math.max(box.left + box.width / 2, sideRoom), innerWidth - sideRoom)}px`
  tooltip.style.top = `${isBelow ? box.bottom + gap : box.top - gap}px`
  document.body.append(tooltip)
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-tip', 'datetime'] })
}

function hide(): void {
  clearTimeout(timer)
  changes.disconnect()
  tooltip.remove()
  anchor?.removeAttribute('aria-describedby')
  anchor = undefined
}

function showAfter(element: HTMLElement, delayMs: number): void {
  hide()
  timer = setTimeout(() => show(element), delayMs)
}

const isWithin = (element: Element, target: EventTarget | null) => target instanceof Node && element.contains(target)
const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(withTooltip) : null

const on = <K extends keyof DocumentEventMap>(event: K, listener: (event: DocumentEventMap[K]) => void) =>
  document.addEventListener(event, listener, { capture: true })
on('pointerover', ({ target, relatedTarget, pointerType }) => {
  if (isWithin(tooltip, target)) clearTimeout(timer)
  const over = anchorOf(target)
  if (over && pointerType === 'mouse' && !isWithin(over, relatedTarget)) showAfter(over, opensAfterMs)
})
on('pointerout', ({ target, relatedTarget }) => {
  const left = isWithin(tooltip, target) ? tooltip : anchorOf(target)
  if (!left || isWithin(left, relatedTarget)) return
  clearTimeout(timer)
  timer = setTimeout(hide, closesAfterMs)
})
on('pointerdown', hide)
on('focusin', ({ target }) => {
  const focused = anchorOf(target)
  if (focused && (target as Element).matches(':focus-visible')) showAfter(focused, 0)
})
on('focusout', hide)
on('keydown', ({ key }) => {
  if (key === 'Escape') hide()
})

// Of what brought this here.
const [hovered] = document.querySelectorAll<HTMLElement>(`:is(${withTooltip}):hover`)
if (hovered) showAfter(hovered, opensAfterMs)
else if (document.activeElement?.matches(`:is(${withTooltip}):focus-visible`)) {
  showAfter(document.activeElement as HTMLElement, 0)
}
