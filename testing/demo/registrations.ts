import type { DemoOwner } from './owners.ts'

type Row = [username: string, displayName: string, plan: string, age: number, apps: Readonly<Record<string, number>>]

/** Owners who register during the 90 days of the demo, more of them each month, with small apps that grow. */
export const registrations: readonly DemoOwner[] = (
  [
    ['brightloop', 'Brightloop Games', 'Developer', 86, { 'Loop Arena': 140 }],
    ['sable_audio', 'Sable Audio', 'Pro', 79, { 'Sable Comp': 120, 'Sable Verb': 60 }],
    ['ivo.tools', 'Ivo Marek', 'Free', 74, { 'Clip Stack': 24 }],
    ['pixelforge', 'Pixelforge', 'Developer', 67, { 'Sprite Press': 120 }],
    ['hanae', 'Hanae Mori', 'Free', 60, { 'Kana Drill': 34 }],
    ['driftworks', 'Driftworks', 'Developer', 56, { 'Lap Timer Pro': 130 }],
    ['opalbyte', 'Opalbyte', 'Pro', 51, { Screenloom: 160, Inkwell: 60 }],
    ['teo_dev', 'Teo Lindqvist', 'Free', 46, { 'Macro Bench': 46 }],
    ['granite', 'Granite Labs', 'Developer', 42, { 'Rig Monitor': 110 }],
    ['fastkeys_store', 'Fast Keys Store', 'Developer', 38, { 'Key Loader': 160 }],
    ['lumina', 'Lumina Plugins', 'Pro', 34, { 'Lumina Grade': 180 }],
    ['quietgrid', 'Quietgrid', 'Developer', 31, { 'Grid Backup': 110 }],
    ['rafa.mod', 'Rafael Pinto', 'Free', 28, { 'Mod Manager': 90 }],
    ['northlight', 'Northlight', 'Developer', 25, { 'Frame Sorter': 140 }],
    ['bitgarden', 'Bitgarden', 'Developer', 22, { 'Seed Runner': 150 }],
    ['vektor', 'Vektor Studio', 'Pro', 19, { 'Vektor Trace': 220 }],
    ['olena', 'Olena Bondar', 'Free', 17, { 'Pomodoro Desk': 80 }],
    ['copperline', 'Copperline', 'Developer', 14, { 'Patch Bay': 170 }],
    ['mistral_fx', 'Mistral FX', 'Pro', 12, { 'Fog Engine': 240 }],
    ['kenji', 'Kenji Arai', 'Free', 10, { 'Kanji Snap': 80 }],
    ['wrenfield', 'Wrenfield', 'Developer', 8, { 'Field Notes': 190 }],
    ['deltaforge', 'Deltaforge', 'Developer', 6, { 'Build Relay': 210 }],
    ['amara', 'Amara Diallo', 'Free', 4.6, {}],
    ['solstice', 'Solstice Games', 'Developer', 3.2, { 'Solstice Launcher': 240 }],
    ['nils', 'Nils Berg', 'Free', 2.1, { 'Log Tail': 120 }],
    ['harbor', 'Harbor Software', 'Pro', 1.3, { 'Dock Sync': 300 }],
    ['mei', 'Mei Tan', 'Free', 0.6, {}],
  ] as readonly Row[]
).map(([username, displayName, plan, age, apps]) => ({ username, displayName, plan, age, apps }))

/** Banned by the administrator, for selling keys of others. */
export const bannedRegistration = 'fastkeys_store'
/** Whose plan ends within a week. */
export const endingRegistration = 'driftworks'
