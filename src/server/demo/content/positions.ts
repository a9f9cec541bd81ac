import type { PortraitLook } from '#server/demo/pictures/portrait.ts'
import type { Department } from '#shared/org-chart.ts'

export interface DemoPosition {
  /** Of nobody: the names are made up. */
  name: string
  title: string
  department: Department
  portrait?: PortraitLook
  under?: readonly DemoPosition[]
}

/** The office and its people, from the top down. */
export const demoPositions: DemoPosition = {
  name: 'Dr. Amelia R. Santos',
  title: 'School President',
  department: 'Administration',
  portrait: { behind: '#2f7d5b', clothes: '#0f3d2e', hair: 'bun' },
  under: [
    {
      name: 'Prof. Ricardo L. Villanueva',
      title: 'Vice President for Academic Affairs',
      department: 'Administration',
      portrait: { behind: '#8ec7a6', clothes: '#1d4f8f', hair: 'short' },
      under: [
        {
          name: 'Marisol D. Aquino',
          title: 'NSTP Coordinator',
          department: 'Administration',
          portrait: { behind: '#e9b949', clothes: '#17573f', hair: 'long' },
          under: [
            {
              name: 'Maj. Benjamin C. Ocampo (Res.)',
              title: 'ROTC Commandant',
              department: 'Faculty',
              portrait: { behind: '#b9c27d', clothes: '#4c5716', hair: 'short' },
              under: [
                { name: 'Sgt. Dennis P. Magno', title: 'Training NCO', department: 'Staff' },
                { name: 'Carlo J. Reyes', title: 'ROTC Instructor', department: 'Faculty' },
                { name: 'Hazel M. Dizon', title: 'Medical Officer', department: 'Staff' },
              ],
            },
            {
              name: 'Liza B. Fernandez',
              title: 'CWTS Head',
              department: 'Faculty',
              portrait: { behind: '#bfe0ea', clothes: '#1d4f8f', hair: 'long' },
              under: [
                { name: 'Paolo G. Navarro', title: 'Community Projects', department: 'Faculty' },
                { name: 'Joy Ann T. Castillo', title: 'CWTS Instructor', department: 'Faculty' },
              ],
            },
            {
              name: 'Teresita V. Lim',
              title: 'LTS Head',
              department: 'Faculty',
              portrait: { behind: '#f6e3b8', clothes: '#7a4800', hair: 'bun' },
              under: [{ name: 'Mark Anthony S. Cruz', title: 'Reading Program', department: 'Faculty' }],
            },
            {
              name: 'Grace N. Pascual',
              title: 'Records Officer',
              department: 'Staff',
              under: [{ name: 'Jomar E. Tan', title: 'Records Assistant', department: 'Staff' }],
            },
          ],
        },
      ],
    },
    {
      name: 'Engr. Nestor F. Bautista',
      title: 'Vice President for Administration',
      department: 'Administration',
      under: [{ name: 'Rowena A. Mercado', title: 'Data Protection Officer', department: 'Administration' }],
    },
  ],
}
