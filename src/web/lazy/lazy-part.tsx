import { t } from '@lingui/core/macro'
import { Component, type ComponentType, type FunctionComponent, type ReactNode, useEffect, useRef } from 'react'
import { notify } from '../browser/notify.ts'
import { platformName } from '../browser/platform-name.ts'
import { useStore } from '../browser/store.ts'
import { type Loadable, type LoadResult, newLoadable, type PropsOf } from './loadable.ts'

interface PartProps {
  /** Loaded and rendered only while true. Omit it for parts that are open as long as they are mounted. */
  shown?: boolean
  /** Placeholder until the part is open and loaded. */
  placeholder?: ReactNode
  /**
   * Called when it cannot be shown, or Escape is pressed before it is there: the opener closes it again, so that the
   * page is as before.
   */
  onFailed?: () => void
  /** Called when a retry has loaded it after `onFailed`. */
  onReopen?: () => void
}

export type LazyPart<P> = FunctionComponent<P & PartProps> & {
  /** Preloads it, e.g. on hover; never rejects. */
  preload: () => void
}

export type WaitingParts = Set<{ load: () => Promise<unknown> }>

/** Parts to preload when the browser is idle, in the order of registration; the first ones soon after the page. */
export const firstParts: WaitingParts = new Set()
export const waitingParts: WaitingParts = new Set()

/**
 * A dialog, menu or panel as a lazy chunk. If it cannot be loaded or throws, the page stays as it is: a toast reports
 * it and offers a retry.
 */
export function lazyPart<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
  { whenIdle = true }: { whenIdle?: boolean | 'first' } = {},
): LazyPart<PropsOf<M[K]>> {
  const loadable = newLoadable(importModule, name)
  if (whenIdle) (whenIdle === 'first' ? firstParts : waitingParts).add(loadable)

  function Part({ shown = true, placeholder = null, onFailed, onReopen, ...props }: PropsOf<M[K]> & PartProps) {
    const Loaded = useStore(loadable.component) as ComponentType<object> | undefined
    const callbacks = useRef({ onFailed, onReopen })
    useEffect(() => {
      callbacks.current = { onFailed, onReopen }
    })
    useEffect(() => {
      if (!shown) return undefined
      let gone = false
      const start = async () => {
        const result = await loadable.load()
        if (result === 'loaded' || gone) return
        callbacks.current.onFailed?.()
        offerRetry(loadable, result, callbacks.current.onReopen)
      }
      void start()
      return () => {
        gone = true
      }
    }, [shown])
    const waits = shown && !Loaded
    useEffect(() => {
      if (!waits) return undefined
      const { onFailed: close } = callbacks.current
      return close && takeEscape(() => callbacks.current.onFailed?.())
    }, [waits])
    if (!shown || !Loaded) return placeholder
    return (
      <PartBoundary onFailed={onFailed}>
        <Loaded {...props} />
      </PartBoundary>
    )
  }
  return Object.assign(Part, { preload: () => void loadable.load() })
}

const openLayers = () => document.querySelectorAll('[role=dialog], [role=menu]')
const awaited: object[] = []

/** Escape closes the part asked for last, before it is there, and nothing below it. Returns a function that ends it. */
function takeEscape(close: () => void): () => void {
  const below = new Set(openLayers())
  const cancel = (event: KeyboardEvent) => {
    const isCovered = awaited.at(-1) !== cancel || [...openLayers()].some((layer) => !below.has(layer))
    if (event.key !== 'Escape' || isCovered) return
    event.preventDefault()
    event.stopImmediatePropagation()
    close()
  }
  awaited.push(cancel)
  // Before everything on the page.
  window.addEventListener('keydown', cancel, { capture: true })
  return () => {
    window.removeEventListener('keydown', cancel, { capture: true })
    awaited.splice(awaited.indexOf(cancel), 1)
  }
}

function offerRetry(
  loadable: Pick<Loadable<never>, 'load'>,
  failure: LoadResult,
  onReopen?: () => void,
  again = false,
) {
  const retry = async () => {
    const result = await loadable.load()
    if (result === 'loaded') onReopen?.()
    else offerRetry(loadable, result, onReopen, true)
  }
  const tryAgain = { label: t`Retry`, onAction: () => void retry(), subject: loadable }
  const reload = { label: t`Reload`, onAction: () => location.reload(), subject: 'reload' }
  if (failure === 'unreachable') notify.error(t`The server could not be reached`, { action: tryAgain })
  else if (failure === 'outdated')
    notify.error(t`${platformName} was updated. Reload the page to open this.`, { action: reload })
  else notify.error(t`This could not be loaded`, { action: again ? reload : tryAgain })
}

interface PartBoundaryProps {
  onFailed: (() => void) | undefined
  children: ReactNode
}

/** An error inside a part only affects that part. */
class PartBoundary extends Component<PartBoundaryProps, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override componentDidCatch() {
    notify.error(t`An unexpected error occurred`)
    this.props.onFailed?.()
  }
  override render() {
    return this.state.failed ? null : this.props.children
  }
}
