import { useRouter } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { useSearchParams } from '../navigation/search-params.ts'
import { useDialogEntry } from '../navigation/use-dialog-entry.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { PropsOf } from '../lazy/loadable.ts'

/**
 * A dialog in the URL, of a page (`?dialog=edit`) or of the panel (`?action=edit`): if it cannot be loaded, the URL
 * returns to what is visible.
 */
export function lazyDialog<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
): FunctionComponent<PropsOf<M[K]>> {
  const Part = lazyPart(importModule, name)
  return function LazyDialog(props: PropsOf<M[K]>) {
    const router = useRouter()
    const { dialog, row, action, panel } = useSearchParams()
    const { open, close } = useDialogEntry()
    const { pathname } = router.state.location
    const reopen = () => {
      const { location } = router.state
      const isStillThere = location.pathname === pathname && (!action || location.search.panel === panel)
      if (isStillThere && (dialog ?? action)) open({ dialog, row, action })
    }
    return <Part {...props} onFailed={close} onReopen={reopen} />
  }
}
