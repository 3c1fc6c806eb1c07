import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { TimeLeft } from './time-left.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { ShownOnceDialog } from './shown-once.tsx'

interface OneTimeLinkProps {
  title: string
  description: string
  /** Label of the link. */
  label: string
  link: string
  /** Epoch seconds. */
  expiresAt: number
  onClose: () => void
}

/** Shows a link that cannot be shown again, because the server only stores its hash. */
export function OneTimeLink({ title, description, label, link, expiresAt, onClose }: OneTimeLinkProps) {
  const done = useRef<HTMLButtonElement>(null)
  return (
    <ShownOnceDialog
      title={title}
      description={description}
      initialFocus={done}
      onClose={onClose}
      footer={
        <>
          <CopyButton labeled text={link} label={t`Copy link`} />
          <Button ref={done} variant="primary" onClick={onClose}>{t`Done`}</Button>
        </>
      }
    >
      <textarea
        readOnly
        aria-label={label}
        translate="no"
        rows={3}
        value={link}
        className="control machine w-full resize-none px-3 py-2 break-all text-text"
      />
      <div className="mt-2 text-text-2">
        <TimeLeft until={expiresAt} />
      </div>
    </ShownOnceDialog>
  )
}
