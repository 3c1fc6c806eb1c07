import { t } from '@lingui/core/macro'
import { Component, type ComponentType, type FunctionComponent, type ReactNode, useEffect, useRef } from 'react'
import { notify } from '../browser/notify.ts'
import { platformName } from '../browser/platform-name.ts'
import { useStore } from '../browser/store.ts'
import { type Loadable, type LoadResult, newLoadable, type PropsOf } from './loadable.ts'

interface PartProps {
  /** Nothing is loaded or shown before. For what is open as long as it is mounted this is left out. */
  shown?: boolean
  /** Stands in its place until it is shown and there. */
  placeholder?: ReactNode
  /** It can't be shown: whoever opened it closes it again, so that the page is as it was. */
  onFailed?: () => void
  /** A retry has loaded it after `onFailed`. */
  onReopen?: () => void
}

export type LazyPart<P> = FunctionComponent<P & PartProps> & {
  /** For a pointer that comes near; never rejects. */
  preload: () => void
}

/** Parts to be loaded when the browser is idle, in the order in which the pages name them. */
export const waitingParts = new Set<Pick<Loadable<never>, 'load'>>()

/**
 * A dialog, menu or panel in a file of its own. One that can't be loaded, or throws, leaves the page as it is:
 * a toast says so and offers to try again.
 */
export function lazyPart<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
  { whenIdle = true } = {},
): LazyPart<PropsOf<M[K]>> {
  const loadable = newLoadable(importModule, name)
  if (whenIdle) waitingParts.add(loadable)

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
    if (!shown || !Loaded) return placeholder
    return (
      <PartBoundary onFailed={onFailed}>
        <Loaded {...props} />
      </PartBoundary>
    )
  }
  return Object.assign(Part, { preload: () => void loadable.load() })
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
  const tryAgain = { label: t`Retry`, onAction: () => void retry() }
  const reload = { label: t`Reload`, onAction: () => location.reload() }
  if (failure === 'unreachable') notify.error(t`The server could not be reached`, { action: tryAgain })
  else if (failure === 'outdated')
    notify.error(t`${platformName} was updated. Reload the page to open this.`, { action: reload })
  else notify.error(t`This could not be loaded`, { action: again ? reload : tryAgain })
}

interface PartBoundaryProps {
  onFailed: (() => void) | undefined
  children: ReactNode
}

/** An error inside a part ends the part and nothing else. */
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
