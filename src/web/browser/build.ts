import { createStore } from './store.ts'

/** The build of this page; absent when Vite serves the sources. */
const buildOfPage = () => document.querySelector<HTMLMetaElement>('meta[name="signet-build"]')?.content

/** Whether the server has another build by now, so that parts of this one can no longer be loaded. */
export const isOutdatedStore = createStore(false)

export function compareBuild(headers: Headers) {
  const loaded = buildOfPage()
  const current = headers.get('X-Signet-Build')
  if (current && loaded && !loaded.startsWith('__')) isOutdatedStore.set(current !== loaded)
}
