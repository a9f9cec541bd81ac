/** When the terms change, change the version too. */
export const termsPage = {
  title: 'Terms of use',
  lead: 'What this site offers, and what we ask of you.',
  version: '2026-11-23',
  sections: [
    {
      title: 'What this site is for',
      paragraphs: [
        'It supports the National Service Training Program of your school: students enlist, the NSTP office manages their records and posts announcements. It is free, and you do not need an account to read or to enlist.',
      ],
    },
    {
      title: 'When you enlist',
      paragraphs: [
        'Enlist only yourself, only once, and answer truthfully and completely: the school and the government offices in charge of the program rely on your answers. If someone else fills in the form for you, check that your answers are correct.',
        'Submitting the form enlists you with the NSTP office. The office checks your answers and may ask you to correct or prove them. To complete the program, you must also meet the requirements of your school and the law.',
        'Let the people you list as parents, guardian or emergency contact know that you listed them.',
      ],
    },
    {
      title: 'What is not allowed',
      paragraphs: [
        'Do not enlist others without their knowledge, give false answers, try to access other people’s data, send harmful files or overload the site. The office may remove such submissions and apply the rules of the school.',
      ],
    },
    {
      title: 'Announcements and files',
      paragraphs: [
        'The office prepares announcements with care. If an announcement and a written notice of the school differ, ask the office which one applies. You may read, print and share announcements and their files for the purposes of the program. Pictures and texts remain the property of their owners.',
        'Links to other sites are provided for your convenience. The office is not responsible for their content.',
      ],
    },
    {
      title: 'When the site is not available',
      paragraphs: [
        'The office may close registration for a time, and maintenance may interrupt the site. If you cannot enlist online before a deadline, go to the NSTP office.',
      ],
    },
    {
      title: 'Your data',
      paragraphs: [
        'The privacy notice explains what is collected, why, how long it is stored and which rights you have. These terms do not limit those rights.',
      ],
    },
    {
      title: 'Changes',
      paragraphs: [
        'The office may change these terms; the date at the top shows when they took effect. Philippine law applies.',
      ],
    },
  ],
}
