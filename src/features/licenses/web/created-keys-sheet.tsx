import { plural, t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { licensesFileName, saveTextFile } from './save-text-file.ts'

interface CreatedKeysSheetProps {
  keys: readonly string[]
  appName: string
  onClose: () => void
}

const maxLines = 14

export function CreatedKeysSheet({ keys, appName, onClose }: CreatedKeysSheetProps) {
  const done = useRef<HTMLButtonElement>(null)
  const text = keys.join('\n')
  const count = keys.length
  return (
    <Dialog
      title={plural(count, { one: '# license created', other: '# licenses created' })}
      description={t`They are in the list as well; nothing is lost when you close this.`}
      initialFocus={done}
      onClose={onClose}
      footer={
        <>
          <CopyButton labelled text={text} label={t`Copy all`} />
          <Button icon={<Download />} onClick={() => saveTextFile(licensesFileName(appName, 'txt'), `${text}\n`)}>
            {t`Download TXT`}
          </Button>
          <Button ref={done} variant="primary" onClick={onClose}>{t`Done`}</Button>
        </>
      }
    >
      <textarea
        readOnly
        aria-label={t`Created license keys`}
        translate="no"
        spellCheck={false}
        rows={Math.min(Math.max(count, 2), maxLines)}
        value={text}
        className="control machine w-full resize-y px-3 py-2 whitespace-pre text-text"
      />
    </Dialog>
  )
}
