import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { paths } from '../navigation/paths.ts'
import type { MenuEntry } from '../ui/menu-entry.ts'

type Kind = 'licenses' | 'users'

/** Opens the import with a file of this kind in mind. */
export function useOpenImport(kind: Kind): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: paths.imports(), search: { kind } })
}

/** Menu entry of a list's page: rows of another service. */
export function useImportEntry(kind: Kind): () => MenuEntry {
  const open = useOpenImport(kind)
  return () => ({ label: t`Import`, icon: <FileUp />, onSelect: open })
}
