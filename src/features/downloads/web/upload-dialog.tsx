import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { localeStore } from '#web/browser/locale.ts'
import { useStore } from '#web/browser/store.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
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
  const { step, failure, isCompleting, notYet } = form
  const cancel = () => void form.cancel()
  return (
    <Dialog
      fullOnPhones
      title={t`Upload File`}
      description={t`Maximum file size: ${sizeText(bytesLeft(props.quota), locale)}.`}
      onClose={cancel}
      busy={isCompleting}
      buttonsOnly={step.at !== 'choose'}
      onSubmit={() => void form.complete()}
      {...(failure !== undefined && { error: failure })}
      footer={
        <>
          <Button onClick={cancel} disabled={isCompleting}>{t`Cancel`}</Button>
          <ButtonWithReason
            type="submit"
            variant="primary"
            busy={isCompleting}
            disabledReason={notYet}
          >{t`Complete`}</ButtonWithReason>
        </>
      }
    >
      <UploadFields form={form} />
    </Dialog>
  )
}

function UploadFields({ form }: { form: UploadForm }) {
  const { step, problemText } = form
  const { name, description, authenticated } = form.values
  return (
    <div
      className="flex flex-col gap-4 pb-1"
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
