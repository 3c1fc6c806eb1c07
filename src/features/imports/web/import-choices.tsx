import { plural, t } from '@lingui/core/macro'
import { unitOptions, useLevels } from '#features/licenses/web/licenses-data.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Section } from '#web/ui/section.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { ImportRows } from '../batch-rows.rules.ts'
import { fieldsOf } from '../import-files.rules.ts'
import { fieldTexts } from './import-texts.ts'
import type { Choices, ChosenFile } from './imports-data.ts'

interface ChoiceFieldsProps {
  chosen: ChosenFile
  rows: ImportRows
  labels: readonly string[]
  choices: Choices
  onChange: (changes: Partial<Choices>) => void
}

/** How the file is read and what happens to names that exist. */
export function ChoiceFields({ chosen, rows, labels, choices, onChange }: ChoiceFieldsProps) {
  const { kind, source } = chosen.file
  const hasHwids = rows.users?.some(({ hwid }) => hwid) ?? false
  const withoutPassword = rows.users?.filter(({ password }) => !password).length ?? 0
  return (
    <>
      {labels.length > 0 && <LevelFields labels={labels} choices={choices} onChange={onChange} />}
      <Section title={t`Options`}>
        {kind === 'licenses' && source !== 'keyauth' && (
          <SelectField
            label={t`Unit of durations without one`}
            className="max-w-72"
            options={unitOptions(['seconds', 'minutes', 'days', 'weeks', 'months', 'years'])}
            value={choices.durationUnit}
            onChange={(event) => onChange({ durationUnit: event.target.value as Choices['durationUnit'] })}
          />
        )}
        <ConflictField kind={kind} choices={choices} onChange={onChange} />
        {hasHwids && (
          <CheckboxField
            label={t`Bind users to the HWIDs of the file`}
            help={t`Only if your program sends Signet the same HWIDs. Otherwise, nobody can sign in until you reset them.`}
            checked={choices.withHwids}
            onChange={(event) => onChange({ withHwids: event.target.checked })}
          />
        )}
        {withoutPassword > 0 && (
          <CheckboxField
            label={t`Create a redeemed license for users without a password`}
            help={plural(withoutPassword, {
              one: '# user has no password. In KeyAuth, users who sign in with a license key have it as their username.',
              other:
                '# users have no password. In KeyAuth, users who sign in with a license key have it as their username.',
            })}
            checked={choices.withKeys}
            onChange={(event) => onChange({ withKeys: event.target.checked })}
          />
        )}
        {source !== 'keyauth' && <ColumnFields chosen={chosen} choices={choices} onChange={onChange} />}
      </Section>
    </>
  )
}

type FieldsProps = Pick<ChoiceFieldsProps, 'choices' | 'onChange'>

const maxShownLabels = 200

function LevelFields({ labels, choices, onChange }: FieldsProps & { labels: readonly string[] }) {
  const { options = [] } = useLevels()
  const name = (label: string) => label || t`(empty)`
  return (
    <Section
      title={t`Subscriptions`}
      description={t`Choose what each level of the file is in this app. Rows of a level without a choice are skipped.`}
    >
      {labels.slice(0, maxShownLabels).map((label) => (
        <SelectField
          key={label}
          layout="row"
          label={name(label)}
          placeholder={t`Skip its rows`}
          value={choices.levels[label] ?? ''}
          options={[...options, ...(label.trim() === '' ? [] : [{ value: 'new', label: t`Create “${label}”` }])]}
          onChange={(event) => onChange({ levels: { ...choices.levels, [label]: event.target.value } })}
        />
      ))}
    </Section>
  )
}

function ConflictField({ kind, choices, onChange }: FieldsProps & { kind: ChosenFile['file']['kind'] }) {
  const overwrite =
    kind === 'users'
      ? t`Email, password, HWID, ban, and the subscriptions of the file replace those of the user.`
      : t`Level, duration, notes, and ban are replaced. Redeemed licenses are skipped.`
  const options = [
    { value: 'skip' as const, label: t`Skip the row` },
    ...(kind === 'users'
      ? [{ value: 'rename' as const, label: t`Add a number to the name`, help: t`“anna” becomes “anna-2”.` }]
      : []),
    { value: 'overwrite' as const, label: t`Overwrite`, help: overwrite },
  ]
  return (
    <RadioGroup
      legend={kind === 'users' ? t`If a username exists` : t`If a license key exists`}
      options={options}
      value={choices.onConflict}
      onChange={(onConflict) => onChange({ onConflict })}
    />
  )
}

function ColumnFields({ chosen, choices, onChange }: FieldsProps & Pick<ChoiceFieldsProps, 'chosen'>) {
  const { kind, header } = chosen.file
  const texts = fieldTexts()
  return (
    <div>
      <Disclosure label={t`Columns of the file`}>
        {() => (
          <div className="grid gap-4 sm:grid-cols-2">
            {fieldsOf(kind).map((field) => (
              <SelectField
                key={field}
                label={texts[field]}
                placeholder={t`Not in the file`}
                value={String(choices.columns[field] ?? '')}
                options={header.map((title, at) => ({
                  value: String(at),
                  label: title || String(at + 1),
                  isName: true,
                }))}
                onChange={({ target: { value } }) => {
                  const { [field]: _, ...others } = choices.columns
                  onChange({ columns: value === '' ? others : { ...others, [field]: Number(value) } })
                }}
              />
            ))}
          </div>
        )}
      </Disclosure>
    </div>
  )
}
