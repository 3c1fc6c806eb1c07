import { t } from '@lingui/core/macro'
import { Trash2 } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'

export function DangerSection({ onDelete }: { onDelete: () => void }) {
  return (
    <Section title={t`Danger Zone`}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-md text-ui text-text-2">
          {t`Deleting the app deletes its licenses, users and settings, and every program that asks for it is refused from then on. This cannot be undone.`}
        </p>
        <Button variant="danger" icon={<Trash2 />} onClick={onDelete}>
          {t`Delete App`}
        </Button>
      </div>
    </Section>
  )
}
