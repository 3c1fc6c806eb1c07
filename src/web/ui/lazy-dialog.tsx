import { useRouter } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { useDialog } from '../navigation/use-dialog.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { PropsOf } from '../lazy/loadable.ts'

/** A dialog in the URL (`?dialog=edit`): if it cannot be loaded, the URL returns to the visible page. */
export function lazyDialog<M, K extends keyof M & string>(
  importModule: () => Promise<M>,
  name: K,
): FunctionComponent<PropsOf<M[K]>> {
  const Part = lazyPart(importModule, name)
  return function LazyDialog(props: PropsOf<M[K]>) {
    const router = useRouter()
    const dialog = useDialog()
    const reopen = (page: string, opened = { name: dialog.name, row: dialog.row }) => {
      if (opened.name && router.state.location.pathname === page) dialog.open(opened.name, opened.row)
    }
    const { pathname } = router.state.location
    return <Part {...props} onFailed={dialog.close} onReopen={() => reopen(pathname)} />
  }
}
