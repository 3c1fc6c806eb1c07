import { t } from '@lingui/core/macro'
import { KeySquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The document has this text in Portuguese, whatever the reader's language (conflicts C55). */
export function NoSellerKeys({ create }: { create: ReactNode }) {
  return (
    <EmptyState icon={<KeySquare />} title={<span lang="pt-BR">Nenhuma chave encontrada ainda.</span>} actions={create}>
      {t`No seller keys yet. With one, a shop or bot makes and manages licenses by itself, from the addresses and with the permissions you choose.`}
    </EmptyState>
  )
}
