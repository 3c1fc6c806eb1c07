import { t } from '@lingui/core/macro'
import type { RouteComponent } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { lostAtStore } from '../api/connection.ts'
import { PageFailed } from './load-error-page.tsx'
import { localeStore } from '../browser/locale.ts'
import { useStore } from '../browser/store.ts'
import { Button } from '../ui/button.tsx'
import { platformName } from '../browser/platform-name.ts'
import { type LoadResult, newLoadable } from '../lazy/loadable.ts'

/**
 * A page as a lazy chunk, for the routes. The router's own helper reloads the window on failure, which does not help
 * while the server is unreachable; this shows an error inside the shell and loads the page once the server is back.
 *
 * Texts are read while rendering, so another language starts the page anew. One that is `kept` is rendered again instead,
 * with what was typed: nothing on it may keep a text.
 */
export function lazyPage<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
  kept?: 'kept',
): RouteComponent {
  const loadable = newLoadable(importModule, name)

  function Page(props: object) {
    const Loaded = useStore(loadable.component) as ComponentType<object> | undefined
    const locale = useStore(localeStore)
    const isLost = useStore(lostAtStore) !== undefined
    const [result, setResult] = useState<LoadResult>()
    const load = async () => setResult(await loadable.load())
    useEffect(() => {
      // Once when it is shown, and again when the server is back.
      if (!loadable.component.get()) void load()
    }, [isLost])
    if (Loaded) return <Loaded key={kept ?? locale} {...props} />
    if (result === undefined) return null
    if (result === 'unreachable') {
      const retry = <Button onClick={() => void load()}>{t`Retry`}</Button>
      return <PageFailed message={t`The server could not be reached`} action={retry} />
    }
    const isOutdated = result === 'outdated'
    const message = isOutdated
      ? t`${platformName} was updated. Reload the page to open this.`
      : t`This page could not be loaded`
    return <PageFailed message={message} action={<Button onClick={() => location.reload()}>{t`Reload`}</Button>} />
  }
  const preload = async () => void (await loadable.load())
  return Object.assign(Page, { preload })
}
