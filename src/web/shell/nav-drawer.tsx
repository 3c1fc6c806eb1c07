import { t } from '@lingui/core/macro'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

/** The rail on phones. */
export function NavDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 w-[min(300px,86vw)] animate-drawer overflow-y-auto border-r border-line bg-surface-0 outline-none"
        >
          <Dialog.Title className="sr-only">{t`Navigation`}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
