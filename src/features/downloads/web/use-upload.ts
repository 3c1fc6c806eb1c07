import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { announce } from '#web/browser/announce.ts'
import { notify } from '#web/browser/notify.ts'
import { type Download, refreshDownloads } from './downloads-data.ts'
import { fileHash } from './file-hash.ts'
import { type Pace, PaceMeter } from './upload-pace.ts'
import { uploadFile } from './upload-request.ts'

export type UploadStep =
  /** `failed` is the file of an upload that failed, which can be sent again. */
  | { at: 'choose'; error?: string | undefined; failed?: File | undefined }
  | { at: 'sending'; file: File; pace: Pace }
  /** `isCompared`: the stored file has the SHA-256 of the chosen one. */
  | { at: 'stored'; download: Download; message: string; isCompared: boolean }

interface NewFile {
  file: File
  name: string
  description: string
  authenticated: boolean
}

/** Percentages that screen readers hear. */
const spokenParts = [75, 50, 25]

interface StoredFile {
  download: Download
  appId: string | undefined
}

/** State of an upload: selected, sending, stored. Until `complete`, the file is deleted when the form is closed. */
export function useUpload() {
  const [step, setStep] = useState<UploadStep>({ at: 'choose' })
  const sending = useRef<AbortController>(undefined)
  const stored = useRef<StoredFile>(undefined)
  const isOpen = useRef(false)
  // However the form is closed, e.g. by the browser's Back button.
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      sending.current?.abort()
      if (stored.current) void discardUpload(stored.current)
      stored.current = undefined
    }
  }, [])
  return {
    step,
    reject: (error: string | undefined) => setStep({ at: 'choose', error }),
    /** Returns whether the whole file is stored. */
    send: async (upload: NewFile): Promise<boolean> => {
      const { file } = upload
      const controller = new AbortController()
      sending.current = controller
      const appId = selectedAppStore.get()?.appId
      const { add, stop } = watchPace(file, (pace) => setStep({ at: 'sending', file, pace }))
      try {
        const hash = fileHash(file)
        const reply = await uploadFile(upload, { signal: controller.signal, onProgress: add })
        const { download } = reply
        // Stopped, or the form closed, after the last byte had arrived.
        if (controller.signal.aborted) {
          await discardUpload({ download, appId })
          setStep({ at: 'choose' })
          return false
        }
        stored.current = { download, appId }
        const sha256 = await hash
        // The form was closed meanwhile.
        if (!stored.current) return false
        if (sha256 !== undefined && sha256 !== download.sha256) {
          stored.current = undefined
          await deleteUpload({ download, appId })
          setStep({ at: 'choose', error: t`The stored file differed from yours and was deleted`, failed: file })
          return false
        }
        setStep({ at: 'stored', download, message: successText(reply), isCompared: sha256 !== undefined })
        announce(t`Upload complete`)
        void refreshDownloads()
        return true
      } catch (error) {
        const { aborted } = controller.signal
        setStep({
          at: 'choose',
          ...(!aborted && { error: failureText(error, t`Failed to upload file`), failed: file }),
        })
        return false
      } finally {
        stop()
      }
    },
    /** Stops sending; nothing of the file is stored. */
    stop: () => sending.current?.abort(),
    /** Whether the form is still open. */
    isOpen: () => isOpen.current,
    /** Once `save` is sent, closing the form doesn't delete the file, which may be complete by then. */
    complete: async (save: () => Promise<unknown>): Promise<void> => {
      const file = stored.current
      stored.current = undefined
      try {
        await save()
      } catch (error) {
        if (isOpen.current) stored.current = file
        throw error
      }
    },
  }
}

async function discardUpload(file: StoredFile): Promise<void> {
  await deleteUpload(file).catch((error: unknown) => notify.error(failureText(error, t`Failed to delete download`)))
}

async function deleteUpload({ download: { downloadId }, appId }: StoredFile): Promise<void> {
  try {
    await call('DELETE /downloads/file/{name}', { params: { name: downloadId }, body: {}, appId })
  } finally {
    void refreshDownloads()
  }
}

/** Shows the pace as bytes are sent, and every second, since a connection that stalls sends nothing. */
function watchPace(file: File, show: (pace: Pace) => void) {
  const meter = new PaceMeter(file.size, performance.now())
  let spoken = 0
  const showNow = () => show(meter.paceAt(performance.now()))
  const timer = setInterval(showNow, 1000)
  showNow()
  return {
    add: (sentBytes: number) => {
      meter.add(sentBytes, performance.now())
      showNow()
      const percent = spokenParts.find((part) => sentBytes * 100 >= part * file.size) ?? 0
      if (percent > spoken) announce(t`${percent} % uploaded`)
      spoken = Math.max(spoken, percent)
    },
    stop: () => clearInterval(timer),
  }
}
