import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { type Download, refreshDownloads } from './downloads-data.ts'
import { uploadFile } from './upload-request.ts'

export type UploadStep =
  | { at: 'choose'; error?: string | undefined }
  | { at: 'sending'; file: File; part: number }
  | { at: 'stored'; download: Download; message: string }

interface NewFile {
  file: File
  name: string
  description: string
  authenticated: boolean
}

/** State of an upload: selected, sending, stored until it is completed or canceled. */
export function useUpload() {
  const [step, setStep] = useState<UploadStep>({ at: 'choose' })
  const sending = useRef<AbortController>(undefined)
  // Leaving the page by its URL cancels the upload, too.
  useEffect(() => () => sending.current?.abort(), [])
  return {
    step,
    reject: (error: string | undefined) => setStep({ at: 'choose', error }),
    /** Returns whether the whole file is stored. */
    send: async (upload: NewFile): Promise<boolean> => {
      const { file } = upload
      const controller = new AbortController()
      sending.current = controller
      setStep({ at: 'sending', file, part: 0 })
      try {
        const onProgress = (part: number) => setStep({ at: 'sending', file, part })
        const reply = await uploadFile(upload, { signal: controller.signal, onProgress })
        setStep({ at: 'stored', download: reply.download, message: successText(reply) })
        void refreshDownloads()
        return true
      } catch (error) {
        const cause = controller.signal.aborted ? undefined : failureText(error, t`Failed to upload file`)
        setStep({ at: 'choose', error: cause })
        return false
      }
    },
    cancel: async () => {
      sending.current?.abort()
      if (step.at !== 'stored') return
      // The upload was not completed, so it is deleted.
      await call('DELETE /downloads/file/{name}', { params: { name: step.download.downloadId }, body: {} }).catch(
        (error: unknown) => notify.error(failureText(error, t`Failed to delete download`)),
      )
      void refreshDownloads()
    },
  }
}
