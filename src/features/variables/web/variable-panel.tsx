import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ListedRecord } from '#web/list/listed-record.tsx'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { PanelMenu } from '#web/panel/panel-menu.tsx'
import { CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Access, DataButtons, HiddenData, variableActions, variableDialogs } from './variables-columns.tsx'
import { type AppVariable, variableList } from './variables-data.ts'

interface VariablePanelProps {
  name: string
  /** Tabs of other features. */
  tabs: (variable: AppVariable) => readonly Tab[]
}

/** A variable: its data, hidden until it is asked for, and who can read it. */
export const VariablePanel = ({ name, tabs }: VariablePanelProps) => (
  <ListedRecord
    list={variableList}
    id={name}
    kind={t`Variable`}
    missing={t`Variable not found`}
    failure={t`Failed to load variables`}
    parts={(variable) => ({
      name: (
        <CopiedName name={name}>
          <MachineText value={name} />
        </CopiedName>
      ),
      badge: <Access row={variable} />,
      actions: <Actions />,
      details: <Facts key={name} variable={variable} />,
      tabs: tabs(variable),
      withoutRaw: true,
      dialog: <PanelDialog key={name} row={variable} dialogs={variableDialogs} />,
    })}
  />
)

function Actions() {
  const { setAction } = usePanel()
  const { edit, remove } = variableActions(setAction)
  return <PanelMenu entries={[edit, remove]} buttons={2} group={t`Variables`} editLabel={t`Edit Variable`} />
}

function Facts({ variable }: { variable: AppVariable }) {
  const { authenticated, createdAt, updatedAt } = variable
  return (
    <PanelFacts>
      <PanelFact name={t`Access`}>
        {authenticated
          ? t`Only your program can read it, after a user has signed in.`
          : t`Every copy of your program can read it before anyone has signed in.`}
      </PanelFact>
      <PanelFact name={t`Changed`}>
        <TimeAgo at={updatedAt} />
      </PanelFact>
      <PanelFact name={t`Created`}>
        <TimeAgo at={createdAt} />
      </PanelFact>
      <PanelFact name={t`Variable Data`}>
        <Data variable={variable} />
      </PanelFact>
    </PanelFacts>
  )
}

/** Dots until it is asked for, and always on paper. Hidden again when the panel is left. */
function Data({ variable }: { variable: AppVariable }) {
  const [shown, setShown] = useState(false)
  return (
    <>
      <HiddenData onlyOnPaper={shown} />
      <DataButtons row={variable} shown={shown} onToggle={() => setShown(!shown)} />
      {shown && (
        <MachineText value={variable.variableData} className="basis-full whitespace-pre-wrap text-text print:hidden!" />
      )}
    </>
  )
}
