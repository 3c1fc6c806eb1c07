import type { ComponentType, ReactNode } from 'react'
import { isOutdatedStore } from '../browser/build.ts'
import { isReachable, probeServer } from '../api/connection.ts'
import { createStore, type Store } from '../browser/store.ts'

/** `missing`: the server is reachable but the chunk is gone, as after an upgrade. */
export type LoadResult = 'loaded' | 'unreachable' | 'missing' | 'outdated'

export interface Loadable<P> {
  /** The component once it is loaded. */
  component: Store<ComponentType<P> | undefined>
  /** Never rejects; starts over after a failure. */
  load: () => Promise<LoadResult>
}

export type PropsOf<C> = C extends (props: infer P) => ReactNode ? (unknown extends P ? object : P) : never

/**
 * A chunk loaded on demand. First checks whether the server is reachable: browsers may cache a failed `import()` for
 * the life of the page, so that a retry would fail without a request.
 */
export function newLoadable<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
): Loadable<PropsOf<M[K]>> {
  const component = createStore<ComponentType<PropsOf<M[K]>> | undefined>(undefined)
  let loading: Promise<LoadResult> | undefined

  const start = async (): Promise<LoadResult> => {
    if (!(await isReachable())) return 'unreachable'
    try {
      component.set((await importModule())[name] as ComponentType<PropsOf<M[K]>>)
      return 'loaded'
    } catch {
      if (!(await probeServer())) return 'unreachable'
      return isOutdatedStore.get() ? 'outdated' : 'missing'
    }
  }
  const load = async (): Promise<LoadResult> => {
    if (component.get()) return 'loaded'
    loading ??= start().finally(() => (loading = undefined))
    return loading
  }
  return { component, load }
}
