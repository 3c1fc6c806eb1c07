import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { App } from '#web/session/session.ts'
import { rowsOf } from '../batch-rows.rules.ts'
import { type Checked, checkRows, type Choices, type ChosenFile, type Import, ImportRun } from './imports-data.ts'

interface ImportOf {
  app: App
  chosen: ChosenFile
  rows: ReturnType<typeof rowsOf>
  choices: Choices
}

export type ImportStepsState = ReturnType<typeof useImportSteps>

/** The check of a file, its import, and the continuation of one that stopped. */
export function useImportSteps({ app, chosen, rows, choices }: ImportOf) {
  const [checked, setChecked] = useState<Checked>()
  const [checkedRows, setCheckedRows] = useState(0)
  const [row, setRow] = useState<Import>()
  const [run] = useState(() => new ImportRun(app, chosen))
  const check = useMutation({
    mutationFn: () => {
      setCheckedRows(0)
      const { signal } = new AbortController()
      return checkRows(rows, choices, { signal, onProgress: setCheckedRows })
    },
    onSuccess: setChecked,
  })
  const start = useMutation({
    mutationFn: () => run.run(rows, choices, setRow),
    onSuccess: setRow,
  })
  const resume = useMutation({
    mutationFn: (earlier: Import) => {
      const { columns, ...settings } = earlier.settings
      return new ImportRun(app, chosen, earlier).run(
        rowsOf(chosen.file, columns),
        { ...settings, columns, levels: {} },
        setRow,
      )
    },
    onSuccess: setRow,
  })
  return {
    checked,
    /** Number of rows that the running check has passed. */
    checkedRows,
    check,
    forgetCheck: () => {
      setChecked(undefined)
      check.reset()
    },
    /** The import, once it has started. */
    row,
    isRunning: start.isPending || resume.isPending,
    error: start.error ?? resume.error,
    resume: (earlier: Import) => resume.mutate(earlier),
    /** Starts the import, or continues it after a failure. */
    start: () => (resume.error && row ? resume.mutate(row) : start.mutate()),
  }
}
