import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { saveFile } from '#web/browser/save-text-file.ts'
import type { App } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'

/** The browser itself saves the file, so an app with a million rows needs no memory in the page. */
async function exportApp({ appId, appName }: App): Promise<void> {
  const takeFile = async (file: Response) => saveFile(`app-${appName}`, 'json', await file.blob())
  await call('POST /export_app', { appId, body: {}, takeFile })
}

/** Export of the app's data. */
export function ExportSection({ app }: { app: App }) {
  const save = useMutation({
    mutationFn: () => exportApp(app),
    onError: (error) => notify.error(failureText(error, t`Failed to export the app's data`)),
  })
  return (
    <Section anchor="data" title={t`Your data`}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-md text-ui text-text-2">
          {t`One JSON file with this app's settings, licenses, users, variables, keys, webhooks and resellers. It contains no passwords or secrets, and no logs; they have their own export.`}
        </p>
        <Button icon={<Download />} busy={save.isPending} onClick={() => save.mutate()}>
          {t`Export data`}
        </Button>
      </div>
    </Section>
  )
}
