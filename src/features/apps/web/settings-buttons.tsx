import { t } from '@lingui/core/macro'
import { Trash2 } from 'lucide-react'
import { readableKeys } from '#web/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import type { SettingsState } from './use-settings-form.ts'

interface SettingsButtonsProps {
  form: SettingsState
  onDelete: () => void
}

/** Save Changes and Delete App: at the top of the page, and floating once those are out of view. */
export function SettingsButtons({ form, onDelete }: SettingsButtonsProps) {
  return (
    <>
      <Button variant="danger" icon={<Trash2 />} onClick={onDelete}>
        {t`Delete App`}
      </Button>
      <Button variant="primary" busy={form.saving} title={readableKeys('mod+s')} onClick={form.save}>
        {t`Save Changes`}
      </Button>
    </>
  )
}
