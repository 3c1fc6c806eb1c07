import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { localeStore } from '#web/browser/locale.ts'
import { useStore } from '#web/browser/store.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  bytesLeft,
  downloadDescriptionProblem,
  downloadNameProblem,
  maxDownloadNameLength,
} from '../downloads.rules.ts'
import { sizeText } from './downloads-data.ts'
import { UploadFile } from './upload-file.tsx'
import { type UploadForm, type UploadFormProps, useUploadForm } from './use-upload-form.ts'

/** Uploads a file as soon as it is selected; Complete saves changes made in the form meanwhile. */
export function UploadDialog(props: UploadFormProps) {
  const locale = useStore(localeStore)
  const form = useUploadForm(props)
  const { step } = form
  return (
    <FormDialog
      title={t`Upload File`}
      description={t`Maximum file size: ${sizeText(bytesLeft(props.quota), locale)}.`}
      submitLabel={t`Complete`}
      onClose={props.onClose}
      busy={form.isCompleting}
      isDirty={form.isDirty}
      discards={step.at === 'choose' || form.isCompleting ? undefined : t`The uploaded file is deleted.`}
      blockedReason={form.notYet}
      onSubmit={() => void form.complete()}
      error={form.failure}
    >
      <UploadFields form={form} />
    </FormDialog>
  )
}

function UploadFields({ form }: { form: UploadForm }) {
  const { step, problemText } = form
  const { name, description, authenticated } = form.values
  return (
    <div
      className="flex flex-col gap-4"
      // While the submit button is disabled, Enter does not submit, so the reason is shown here.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) form.explain()
      }}
    >
      <UploadFile step={step} isOver={form.isOver} onChoose={form.choose} onStop={form.stop} />
      <TextField
        label={t`Name`}
        required
        maxLength={maxDownloadNameLength}
        value={name}
        onChange={(event) => form.change({ name: event.target.value })}
        error={form.isTried || step.at === 'stored' ? problemText(downloadNameProblem(name)) : undefined}
      />
      <TextArea
        label={t`Description`}
        rows={2}
        value={description}
        onChange={(event) => form.change({ description: event.target.value })}
        error={problemText(downloadDescriptionProblem(description))}
      />
      <CheckboxField
        label={t`Require Authentication`}
        help={t`Only your program can download it, after a user has signed in.`}
        checked={authenticated}
        onChange={(event) => form.change({ authenticated: event.target.checked })}
      />
      <ShowApiCall
        calls={() => {
          const shown = {
            name: name.trim() || undefined,
            description: description.trim() || undefined,
            authenticated,
          }
          return [apiCall('POST /downloads/upload', { body: shown })]
        }}
      />
    </div>
  )
}
