import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { submitting } from '#web/form/submitting.ts'
import { paths } from '#web/navigation/paths.ts'
import { PlanLimitNotice, useLimitReason, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { appsQuery } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { maxDescriptionLength } from '../apps.rules.ts'
import { useCreateApp } from './use-create-app.ts'

/** Creates an app, and leads to connecting its program. */
export function CreateAppPage() {
  const { data: known = [] } = useQuery(appsQuery)
  const [isFirst] = useState(known.length === 0)
  const navigate = useNavigate()
  const form = useCreateApp()
  const plan = usePlanUsage({ staleTime: 0 })
  const { formRef, onSubmit } = form.dialog
  // The app has been created and the next page is loading.
  const busy = form.dialog.busy || form.saved !== undefined
  const used = form.values.description.length
  // The page is about the apps before this one.
  const apps = plan && plan.usage.apps - (form.saved ? 1 : 0)
  const max = plan?.limits.max_apps
  const fullReason = useLimitReason(apps, max)
  const isFull = fullReason !== undefined
  return (
    <>
      <PageHeader
        title={t`Create New App`}
        description={t`An app is one program that you protect, with its own licenses, users and keys.`}
      />
      <PlanLimitNotice
        used={apps}
        limit={max}
        text={(used, limit, name) =>
          isFull
            ? t`Your ${name} plan: ${used} of ${limit} apps used. Delete one or choose a larger plan to create another.`
            : t`Your ${name} plan: ${used} of ${limit} apps used.`
        }
      />
      <Card className="max-w-[560px]">
        <form
          ref={formRef}
          noValidate
          className="flex flex-col gap-4 p-4 sm:p-[18px]"
          onSubmit={submitting(() => !busy && !isFull && onSubmit())}
        >
          <TextField
            label={t`App Name`}
            required
            autoFocus
            autoComplete="off"
            help={t`3 to 50 letters, digits, spaces, hyphens and underscores`}
            {...form.field('appName')}
          />
          <TextArea
            label={t`Description`}
            help={t`Optional, only you see it. ${used} of ${maxDescriptionLength} characters`}
            {...form.field('description')}
          />
          <div className="flex flex-wrap justify-end gap-2.5">
            <ButtonWithReason
              disabledReason={isFirst ? t`You need an app to continue` : undefined}
              disabled={busy}
              onClick={() => {
                form.discard()
                void navigate({ to: paths.manageApps() })
              }}
            >
              {t`Cancel`}
            </ButtonWithReason>
            <Button type="submit" variant="primary" busy={busy} disabledReason={fullReason}>
              {t`Create`}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
