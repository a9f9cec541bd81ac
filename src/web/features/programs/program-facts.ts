interface Fact {
  term: string
  text: string
  /** Where it is written. */
  source: string
}

/**
 * The page about the program, beside the three components (programs.ts). What a law says names its section;
 * what schools and offices do by their own rules doesn't stand here.
 */
export const programPage = {
  title: 'Programs',
  lead: 'The National Service Training Program (NSTP) strengthens civic consciousness and defense preparedness in the youth, by training in one of three components: ROTC, CWTS or LTS.',
  facts: [
    {
      term: 'Who takes it',
      text: 'Every student, male and female, of a degree course or of a technical-vocational course of at least two years, in public and private schools. It is a requisite for graduation.',
      source: 'RA 9163, sections 4 and 5',
    },
    {
      term: 'How long',
      text: 'Two semesters, usually called NSTP 1 and NSTP 2. A summer program may take their place where the government offices have designed one.',
      source: 'RA 9163, section 6',
    },
    {
      term: 'Which component',
      text: 'One of the three. ROTC is optional and voluntary. Every school offers at least one component; state universities and colleges offer ROTC and at least one other.',
      source: 'RA 9163, sections 4 and 7',
    },
    {
      term: 'What it costs',
      text: 'No fee but basic tuition, and that not more than half of what the school charges for a unit.',
      source: 'RA 9163, section 8',
    },
  ] satisfies Fact[],
  afterwards: {
    title: 'After both semesters',
    points: [
      {
        term: 'Passing',
        text: 'Who has passed NSTP 1 and NSTP 2 has completed the program. The school reports its graduates to the government office in charge of their component.',
        source: '',
      },
      {
        term: 'Serial number',
        text: 'Each graduate receives a serial number: from the Department of National Defense after ROTC, from the Commission on Higher Education after CWTS or LTS. The school passes it on; it never makes one up.',
        source: '',
      },
      {
        term: 'CWTS and LTS',
        text: 'Graduates become part of the National Service Reserve Corps (NSRC), which the State may call upon for literacy and civic welfare activities.',
        source: 'RA 9163, section 11',
      },
      {
        term: 'ROTC',
        text: 'Graduates become part of the Citizen Armed Force, the reserve of the Armed Forces of the Philippines.',
        source: 'RA 9163, section 11; RA 7077',
      },
    ] satisfies Fact[],
  },
  excused: {
    title: 'Training elsewhere, transfers, special cases',
    text: 'Whether training at another school or in an earlier year counts, whether you may take your component at another school, or whether you may be excused, is decided case by case under the rules of the Commission on Higher Education. Please ask the NSTP office before you enlist, and bring what proves your case.',
  },
} as const
