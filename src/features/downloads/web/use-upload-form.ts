import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { type Problem, useProblemText } from '#web/form/use-problem-text.ts'
import {
  downloadDescriptionProblem,
  downloadNameProblem,
  fileSizeProblem,
  freeName,
  nameOfFile,
} from '../downloads.rules.ts'
import { refreshDownloads, type StorageQuota } from './downloads-data.ts'
import { useIncomingFile } from './use-incoming-file.ts'
import { type UploadStep, useUpload } from './use-upload.ts'

export interface UploadFormProps {
  quota: StorageQuota
  /** Names already in use. */
  names: readonly string[]
  onClose: () => void
}

interface UploadValues {
  name: string
  description: string
  authenticated: boolean
}

export type UploadForm = ReturnType<typeof useUploadForm>

/** A form about a file, which is sent while the form is being filled in. */
export function useUploadForm({ quota, names, onClose }: UploadFormProps) {
  const textOf = useProblemText()
  const problemText = (problem: Problem | undefined) => (problem === undefined ? undefined : textOf(problem))
  const upload = useUpload()
  const { step } = upload
  const notYet = notYetText(step)
  const [values, setValues] = useState<UploadValues>({ name: '', description: '', authenticated: false })
  const { name, description, authenticated } = values
  const [isTried, setIsTried] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isCompleting, setIsCompleting] = useState(false)
  const change = (changes: Partial<UploadValues>) => setValues((current) => ({ ...current, ...changes }))

  const choose = async ([file, ...others]: readonly File[]) => {
    if (!file || step.at !== 'choose') return
    if (others.length > 0) return upload.reject(t`Choose one file at a time`)
    const tooLarge = fileSizeProblem(file.size, quota)
    if (tooLarge) return upload.reject(problemText(tooLarge))
    const sentName = name.trim() === '' ? freeName(nameOfFile(file.name), names) : name.trim()
    change({ name: sentName })
    setFailure(undefined)
    if (await upload.send({ ...values, file, name: sentName })) setFailure(undefined)
  }
  const chooseFiles = (files: readonly File[]) => void choose(files)
  const isOver = useIncomingFile(chooseFiles)

  const complete = async () => {
    setIsTried(true)
    if (step.at !== 'stored') return setFailure(notYet)
    if (downloadNameProblem(name) || downloadDescriptionProblem(description)) return
    setIsCompleting(true)
    try {
      const params = { name: step.download.downloadId }
      const body = { name: name.trim(), description: description.trim(), authenticated, complete: true as const }
      await upload.complete(() => call('PUT /downloads/file/{name}', { params, body }))
      notify.success(step.message)
      if (upload.isOpen()) onClose()
      await refreshDownloads()
    } catch (error) {
      const text = failureText(error, t`Upload failed`)
      if (upload.isOpen()) setFailure(text)
      else notify.error(text)
    } finally {
      setIsCompleting(false)
    }
  }

  return {
    values,
    change,
    step,
    /** A file is held over the window. */
    isOver,
    choose: chooseFiles,
    stop: upload.stop,
    isDirty: step.at !== 'choose' || name.trim() !== '' || description.trim() !== '' || authenticated,
    complete,
    isCompleting,
    /** Complete was selected. */
    isTried,
    failure,
    /** Why it cannot be completed yet. */
    notYet,
    /** Shows that reason, if there is one. */
    explain: () => {
      if (notYet !== undefined) setFailure(notYet)
    },
    problemText,
  }
}

function notYetText({ at }: UploadStep): string | undefined {
  if (at === 'choose') return t`Please select a file`
  return at === 'sending' ? t`Please wait for the upload to complete` : undefined
}
