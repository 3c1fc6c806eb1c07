import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect } from 'react'
import { FormError } from '#features/accounts/web/form-error.tsx'
import type { SaveForm } from '#web/form/save-form.ts'
import { submitting } from '#web/form/submitting.ts'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { useUnsavedReport } from './unsaved-cards.tsx'

interface SettingsCardProps {
  anchor: string
  title: string
  description: string
  saveLabel: string
  form: Pick<SaveForm<object, Record<string, unknown>, unknown>, 'dialog'>
  /** Another action next to Save, and the reason of its failure. */
  action?: ReactNode
  failure?: string | undefined
  children: ReactNode
}

/** A button stays in one line with its reason. */
const withReason = 'flex items-center gap-2'

/** A group of settings with its own Save button. */
export function SettingsCard({
  anchor,
  title,
  description,
  saveLabel,
  form,
  action,
  failure,
  children,
}: SettingsCardProps) {
  const { formRef, busy, error, isDirty, onSubmit } = form.dialog
  const report = useUnsavedReport()
  useEffect(() => {
    report(title, isDirty ? { isSaving: busy } : undefined)
    return () => report(title, undefined)
  }, [report, title, isDirty, busy])
  return (
    <Card>
      <form ref={formRef} noValidate aria-label={title} onSubmit={submitting(onSubmit)}>
        <Section anchor={anchor} title={title} description={description}>
          {children}
          <FormError message={error ?? failure} />
          <div className="flex flex-wrap justify-end gap-x-4 gap-y-2">
            {action && <div className={withReason}>{action}</div>}
            <div className={withReason}>
              <ButtonWithReason
                type="submit"
                variant="primary"
                busy={busy}
                disabledReason={isDirty ? undefined : t`Nothing has changed`}
              >
                {saveLabel}
              </ButtonWithReason>
            </div>
          </div>
        </Section>
      </form>
    </Card>
  )
}

/** Of a form's checkbox, for a `SwitchRow`. */
export const asSwitch = ({
  onChange,
  checked,
  name,
  notice,
}: {
  onChange: (event: { target: { checked: boolean } }) => void
  checked: boolean
  name: string
  notice: ReactNode
}) => ({ checked, name, notice, onChange: (value: boolean) => onChange({ target: { checked: value } }) })
