import { t } from '@lingui/core/macro'
import { Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useIsPhone } from '#web/browser/use-media.ts'
import { readableKeys } from '#web/navigation/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import { keptClear } from '#web/ui/clear-bottom.ts'
import { settingsLabels } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

interface SaveBarProps {
  form: SettingsState
  /** The header's buttons are visible, so no copy of them is needed. */
  buttonsInView: boolean
  onDelete: () => void
}

/**
 * Lists the unsaved fields, and repeats the page's buttons once they are scrolled out of view. On phones it always offers
 * to save.
 */
export function SaveBar({ form, buttonsInView, onDelete }: SaveBarProps) {
  const isPhone = useIsPhone()
  const labels = settingsLabels()
  const names = form.changed.map((field) => labels[field])
  const isDirty = names.length > 0
  if (!isDirty && buttonsInView) return null
  const list = new Intl.ListFormat(document.documentElement.lang || 'en', { type: 'unit' }).format(names)
  return (
    <div
      data-print="no"
      className="pointer-events-none sticky bottom-above-bar z-30 mt-4 flex justify-center xl:mr-[420px] wide:ml-[132px] min-[1700px]:mr-[480px] min-[1700px]:ml-[164px]"
    >
      <div
        {...keptClear}
        role="group"
        aria-label={t`Page actions`}
        className="pointer-events-auto flex max-w-full animate-rise flex-wrap items-center justify-end gap-2.5 rounded-lg border border-line-strong bg-surface-2 p-1.5 shadow-overlay max-sm:w-full"
      >
        {isDirty && (
          <>
            <p
              className="min-w-0 max-w-80 grow truncate pl-2 text-ui text-text-2 max-sm:max-w-none max-sm:basis-full"
              title={list}
            >
              <span className="font-semibold text-text">{t`Unsaved:`}</span> {list}
            </p>
            <Button variant="ghost" disabled={form.dialog.busy} onClick={form.discard}>
              {t`Discard`}
            </Button>
          </>
        )}
        {buttonsInView ? isPhone && <SaveButton form={form} /> : <SettingsButtons form={form} onDelete={onDelete} />}
      </div>
    </div>
  )
}

interface SettingsButtonsProps {
  form: SettingsState
  onDelete: () => void
}

/** Save Changes and Delete App: at the top of the page, and floating once these are out of view. */
export function SettingsButtons({ form, onDelete }: SettingsButtonsProps) {
  return (
    <>
      <Button variant="danger" icon={<Trash2 />} onClick={onDelete}>
        {t`Delete App`}
      </Button>
      <SaveButton form={form} />
    </>
  )
}

const SaveButton = ({ form }: { form: SettingsState }) => (
  <Button variant="primary" busy={form.dialog.busy} title={readableKeys('mod+s')} onClick={form.dialog.onSubmit}>
    {t`Save Changes`}
  </Button>
)

/** Height of the top bar, which covers scrolled content. */
const coveredPx = 48

/** Whether any part of the element is visible. True until the browser reports otherwise. */
export function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(true)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true), {
      rootMargin: `-${coveredPx}px 0px 0px 0px`,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inView
}
