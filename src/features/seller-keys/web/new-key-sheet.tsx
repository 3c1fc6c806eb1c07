import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** The one time that the whole key is to be seen. */
export function NewKeySheet({ sellerKey, onClose }: { sellerKey: string; onClose: () => void }) {
  const done = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={t`Your seller key`}
      description={t`Copy it now: it is stored only as a hash and can't be shown again.`}
      initialFocus={done}
      onClose={onClose}
      footer={
        <>
          <CopyButton labelled text={sellerKey} label={t`Copy`} />
          <Button ref={done} variant="primary" onClick={onClose}>{t`Done`}</Button>
        </>
      }
    >
      <textarea
        readOnly
        aria-label={t`Seller key`}
        translate="no"
        spellCheck={false}
        rows={2}
        value={sellerKey}
        className="control machine w-full resize-none px-3 py-2 break-all text-text"
      />
    </Dialog>
  )
}
