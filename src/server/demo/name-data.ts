import { textList } from './text-list.ts'

/** Names as they occur on Philippine class lists. Common ones come first, and are picked more often. */

export const maleNames = textList(`
  John; Mark; Joshua; Angelo; Jerome; Christian; Miguel; Gabriel; Jayson; Kenneth; Juan; Jose; Paolo;
  Rafael; Carlo; Daniel; Emmanuel; Francis; Adrian; Aldrin; Reymark; Jomar; Rodel; Ronnel; Arvin; Kyle;
  Lance; Nathaniel; Vincent; Renz; Jericho; Jhon Lloyd; Dranreb; Jan-Michael; Ian Kirby; Abdul; Omar;
  Benigno; Andrés; Niño; Iñigo; Santino; Bayani; Lakandula; Datu Ali; Jejomar; Eleuterio; Crisanto;
  D'Angelo; John Paul; Mark Anthony; Juan Carlos; Prince Zion
`)

export const femaleNames = textList(`
  Maria; Angel; Nicole; Princess; Mary; Jasmine; Kimberly; Angelica; Andrea; Bea; Camille; Christine;
  Danica; Erica; Francesca; Hannah; Jenny; Joyce; Kathleen; Lovely; Michelle; Patricia; Rica; Shaira;
  Trisha; Althea; Czarina; Mikaela; Rhea; Sofia; Mary Grace; Ma. Theresa; Ma. Luisa; Maria Niña; Niña;
  Begoña; Rose Ann; Mary-Ann; Anne-Marie; Lualhati; Ligaya; Dalisay; Fatima; Norhaya; Aisah; Concepcion;
  Milagros; Princess Joy; Kristel Mae; D'Anne; Precious Heart; Maria Clara; Luzviminda; Jhoanna
`)

/** Second given names. */
export const secondNames = textList(`
  Mae; Joy; Anne; Rose; Grace; Louise; Faith; Claire; Jean; Kate; Lyn; Marie
`)

export const secondMaleNames = textList(`
  Paul; Carlo; Dave; Ian; James; Kevin; Lester; Luis; Miguel; Neil; Rey; Vince
`)

export const surnames = textList(`
  Dela Cruz; Garcia; Reyes; Ramos; Mendoza; Santos; Flores; Gonzales; Bautista; Villanueva; Fernandez;
  Cruz; de Guzman; Lopez; Perez; Castillo; Francisco; Rivera; Aquino; Castro; Sanchez; Torres; de Leon;
  Domingo; Martinez; Rodriguez; Santiago; Soriano; delos Santos; Diaz; Hernandez; Tolentino; Valdez;
  Ramirez; Morales; Mercado; Tan; Aguilar; Navarro; Manalo; Gomez; Dizon; del Rosario; Javier; Corpuz;
  Gutierrez; Salvador; Velasco; Miranda; David; Salazar; Fajardo; Ferrer; Pascual; Alvarez; Sarmiento;
  Lim; Cabrera; Robles; Mallari; Pineda; Estrada; Samson; Galang; Agustin; Magsaysay; Macapagal;
  Dimaculangan; Catacutan; Panganiban; Manansala; Sumulong; Lacsamana; Macaraeg; Dimagiba; Batungbacal;
  Peña; Muñoz; Nuñez; Ordoñez; Ibañez; Castañeda; Zuñiga; Dueñas; Cariño; Niño; Yñiguez; Ocampo;
  Lualhati; Abad; Sy; Uy; Go; Ong; Chua; Yap; Co; Tiongson; de la Cruz; de la Peña; dela Rosa;
  dela Torre; de los Reyes; delos Reyes; de Jesus; del Mundo; San Juan; San Agustin; Sta. Maria;
  Sto. Domingo; D'Souza; O'Hara; D'Cruz; Villanueva-Santos; Reyes-Lim; Cruz-Mendoza; Abdullah; 
  Macarambon; Ungab; Bacaltos; Cabahug; Tagalog; Gatchalian; Ng; Baruel; Evangelista;
  Buenaventura; Villafuerte-Macapagal; Pangilinan; Katigbak; Dumlao; Quiambao; Quisumbing; Laurel; Ziga
`)

export const suffixes = ['Jr.', 'Jr', 'II', 'III', 'IV'] as const
