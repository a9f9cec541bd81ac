import * as z from 'zod/mini'
import { line } from '#shared/form-text.ts'
import { layoutCodes } from './papers.ts'

/** The types of institutions as the workbook of CHED names them. */
export const heiTypes = ['SUCs', 'LUCs', 'PRIVATE', 'OGs'] as const
export type HeiType = (typeof heiTypes)[number]

export const heiTypeNames: Readonly<Record<HeiType, string>> = {
  SUCs: 'State university or college (SUCs)',
  LUCs: 'Local university or college (LUCs)',
  PRIVATE: 'Private',
  OGs: 'Other government school (OGs)',
}

/** What a signatory signs. */
const signedPapers = ['papers', 'certificates', 'both'] as const

export const officeLimits = {
  heiName: 160,
  address: 200,
  region: 60,
  addressee: 200,
  name: 120,
  signatories: 12,
} as const

const optional = { required: false }

const officeMessages = {
  heiType: 'Please choose the type of the school.',
  signs: 'Please choose what is signed.',
  signatories: `Please list at most ${officeLimits.signatories} signatories.`,
  confirmed: 'Please send the layouts that the office has confirmed.',
  onOrOff: 'Please set this to on or off.',
}

export const officeSettings = {
  office: z.strictObject({
    heiName: line('name of the school', officeLimits.heiName, optional),
    heiAddress: line('address of the school', officeLimits.address, optional),
    heiType: z.enum(['', ...heiTypes], { error: officeMessages.heiType }),
    region: line('region', officeLimits.region, optional),
    phonesWithZero: z.boolean({ error: officeMessages.onOrOff }),
    addressee: line('addressee', officeLimits.addressee, optional),
  }),
  signatories: z.readonly(
    z
      .array(
        z.strictObject({
          name: line('name of the signatory', officeLimits.name),
          title: line('title of the signatory', officeLimits.name),
          signs: z.enum(signedPapers, { error: officeMessages.signs }),
        }),
        { error: officeMessages.signatories },
      )
      .check(z.maxLength(officeLimits.signatories, { error: officeMessages.signatories })),
  ),
  confirmedLayouts: z.readonly(
    z.array(z.enum(layoutCodes, { error: officeMessages.confirmed }), { error: officeMessages.confirmed }),
  ),
}

export const defaultOffice: {
  office: z.output<typeof officeSettings.office>
  signatories: z.output<typeof officeSettings.signatories>
  confirmedLayouts: z.output<typeof officeSettings.confirmedLayouts>
} = {
  office: {
    // Empty: the school's name.
    heiName: '',
    heiAddress: '',
    heiType: '',
    region: '',
    phonesWithZero: true,
    addressee: '',
  },
  signatories: [],
  confirmedLayouts: [],
}

interface Named {
  office: { heiName: string }
  schoolName: string
}

export const heiNameOf = ({ office, schoolName }: Named): string => office.heiName || schoolName

interface Programs {
  programs: readonly { course: string; name: string }[]
}

/** The one that the record names, or the only one that the settings list for its course; '' for none. */
export function officialProgram(
  { course, program }: { course: string; program: string },
  { programs }: Programs,
): string {
  if (program !== '') return program
  const [only, ...others] = programs.filter((listed) => listed.course === course)
  return only && others.length === 0 ? only.name : ''
}
