import { t } from '@lingui/core/macro'
import { CircleCheckBig, PowerOff, Settings, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'

function Action({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid gap-3 text-ui">
      <dt className="flex items-center gap-2.5 self-start font-medium [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-2">
        {icon}
        {name}
      </dt>
      <dd className="min-w-0 text-text-2">{children}</dd>
    </div>
  )
}

export function ManageAppsHelp() {
  return (
    <Card className="mt-5">
      <Section title={t`What the actions do`}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-2.5">
          <Action icon={<CircleCheckBig />} name={t`Select`}>
            {t`Makes it the current app. Licenses, users and all other pages then show this app.`}
          </Action>
          <Action icon={<Settings />} name={t`Settings`}>
            {t`Opens the settings of the current app. Select another app first to change its settings.`}
          </Action>
          <Action icon={<PowerOff />} name={t`Disable`}>
            {t`Rejects all programs of the app until you enable it again. Nothing is deleted.`}
          </Action>
          <Action icon={<Trash2 />} name={t`Delete`}>
            {t`Deletes an app with everything in it after you type its name. This cannot be undone.`}
          </Action>
        </dl>
      </Section>
    </Card>
  )
}
