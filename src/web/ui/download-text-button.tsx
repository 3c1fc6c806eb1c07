import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { use } from 'react'
import { saveTextFile } from '../browser/save-text-file.ts'
import { Button } from './button.tsx'
import { KeptContext } from './kept-context.ts'

/** Saves what a dialog shows as a text file. */
export function DownloadTextButton({ fileName, text }: { fileName: string; text: string }) {
  const keep = use(KeptContext)
  const save = () => {
    saveTextFile(fileName, 'txt', text)
    keep()
  }
  return <Button icon={<Download />} onClick={save}>{t`Download TXT`}</Button>
}
