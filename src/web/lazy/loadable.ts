import type { ComponentType, ReactNode } from 'react'
import { isOutdatedStore } from '../browser/build.ts'
import { isReachable, probeServer } from '../api/connection.ts'
import { createStore, type Store } from '../browser/store.ts'

/** `missing`: the server is there, the code isn't; after an upgrade its old files are gone. */
export type LoadResult = 'loaded' | 'unreachable' | 'missing' | 'outdated'

export interface Loadable<P> {
  /** The component once it is there. */
  component: Store<ComponentType<P> | undefined>
  /** Never rejects, and starts anew after a failure. */
  load: () => Promise<LoadResult>
}

export type PropsOf<C> = C extends (props: infer P) => ReactNode ? (unknown extends P ? object : P) : never

/**
 * Code that is fetched when it is needed. The server is asked first whether it is there: browsers may remember
 * a failed `import()` for the life of the page, and a retry would then fail without asking again.
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
