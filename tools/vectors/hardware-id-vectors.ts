import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { sha256 } from '#protocol/request-hash.ts'

const ownerId = 'Ab3dE6gH1j'
const linux = '4c4c4544004d3510804bb4c04f4a4d32'
const guid = '6f9619ff-8b86-d011-b42d-00cf4fc964ff'

interface Case {
  name: string
  machineId: string
  /** The text that is hashed; null if the machine ID is rejected. */
  hashed: string | null
  ownerId?: string
}

const cases: Case[] = [
  { name: "Linux's /etc/machine-id", machineId: linux, hashed: linux },
  { name: 'the same with a line end', machineId: `${linux}\n`, hashed: linux },
  { name: 'the same in upper case', machineId: linux.toUpperCase(), hashed: linux },
  { name: 'the same for another owner', machineId: linux, hashed: linux, ownerId: 'Zz3dE6gH1j' },
  { name: "macOS's IOPlatformUUID", machineId: guid.toUpperCase(), hashed: guid },
  { name: "Windows' MachineGuid", machineId: guid, hashed: guid },
  { name: 'spaces, tabs, and line ends around', machineId: ` \t${guid}\r\n `, hashed: guid },
  { name: 'in braces, which stay', machineId: `{${guid}}`, hashed: `{${guid}}` },
  { name: 'a capital I, whatever the language', machineId: `MACHINE-ID-${linux}`, hashed: `machine-id-${linux}` },
  { name: '16 hex digits', machineId: '0123456789abcdef', hashed: '0123456789abcdef' },
  { name: '15 hex digits', machineId: '0123456789abcde', hashed: null },
  { name: '15 hex digits and other letters', machineId: '0123456789abcde-xyz-xyz', hashed: null },
  { name: '16 hex digits among other letters', machineId: '01234567-xyz-89abcdef', hashed: '01234567-xyz-89abcdef' },
  { name: 'empty', machineId: '', hashed: null },
  { name: 'white space', machineId: ' \n', hashed: null },
  { name: 'an image that was never started', machineId: 'uninitialized', hashed: null },
  { name: 'all zeros', machineId: '0'.repeat(32), hashed: null },
  { name: 'all zeros with hyphens', machineId: '00000000-0000-0000-0000-000000000000', hashed: null },
  { name: 'all f', machineId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', hashed: null },
  { name: 'all f in upper case and lower case', machineId: 'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF', hashed: null },
  { name: 'all zeros in braces', machineId: '{00000000-0000-0000-0000-000000000000}', hashed: null },
  { name: 'all zeros but one', machineId: `${'0'.repeat(31)}1`, hashed: `${'0'.repeat(31)}1` },
]

export function hardwareIdVectors() {
  return {
    about:
      'hwid is SHA-256(LP("signet/v1/hwid", ownerId, machine ID)) in lower-case hex, over the machine ID without ' +
      'white space at both ends and in lower case. null means that the machine ID has fewer than 16 hex digits, or ' +
      'only one and the same hex digit: a client must raise HWID_UNAVAILABLE.',
    cases: cases.map(({ name, machineId, hashed, ownerId: owner = ownerId }) => ({
      name,
      ownerId: owner,
      machineId,
      hwid: hashed === null ? null : sha256(lengthPrefixed('signet/v1/hwid', owner, hashed)).toString('hex'),
    })),
  }
}
