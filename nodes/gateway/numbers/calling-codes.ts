// Generated from libphonenumber-js by `node tools/calling-codes.mts`; changes by hand are lost.

/** The numbers behind a calling code. */
interface CallingCode {
  /** What is dialled in front of these numbers inside the country, or was once, and not from abroad; left out for nothing. */
  trunk?: RegExp;

  /** How many digits may follow the calling code: those of all countries and types of numbers that share it. */
  lengths: readonly number[];

  /** A pattern of all these digits. */
  national: RegExp;

  /**
   * By ISO code, the main country first: a pattern of the first of these digits, of which the last country counts whose pattern fits;
   * null where no number shows that it is of the country.
   */
  countries: Readonly<Record<string, RegExp | null>>;
}

/** The numbers of the world, by calling code. No code is the beginning of another. */
export const CALLING_CODES: Readonly<Record<string, CallingCode>> = {
  1: {
    trunk: /^1/,
    lengths: [7, 10],
    national: /^(?:[2-9]\d{9}|3\d{6})$/,
    countries: {
      US: /^(?:983[2-57-9]\d{6}|(?:2(?:0[1-35-9]|1[02-9]|2[03-57-9]|3[1459]|4[08]|5[1-46]|6[0279]|7[02469]|8[13])|3(?:0[1-57-9]|1[02-9]|2[013-79]|3[0-24679]|4[167]|5[0-3]|6[01349]|8[056])|4(?:0[124-9]|1[02-579]|2[3-5]|3[0245]|4[023578]|58|6[349]|7[02589]|8[04])|5(?:0[1-57-9]|1[0235-8]|20|3[0149]|4[01]|5[179]|6[1-47]|7[0-5]|8[0256])|6(?:0[1-35-9]|1[024-9]|2[03689]|3[016]|4[0156]|5[01679]|6[0-279]|78|8[0-269])|7(?:0[1-46-8]|1[2-9]|2[04-8]|3[0-2478]|4[0378]|5[47]|6[02359]|7[0-59]|8[156])|8(?:0[1-68]|1[02-8]|2[0168]|3[0-2589]|4[03578]|5[046-9]|6[02-5]|7[028])|9(?:0[1346-9]|1[02-9]|2[0589]|3[0146-8]|4[01357-9]|5[12469]|7[0-3589]|8[04-69]))[2-9]\d{6})/,
      AG: /^268/,
      AI: /^264/,
      AS: /^684/,
      BB: /^246/,
      BM: /^441/,
      BS: /^242/,
      CA: /^(?:(?:2(?:04|[23]6|[48]9|5[07]|[67]3)|3(?:06|43|54|6[578]|82)|4(?:03|1[68]|[26]8|3[178]|50|74)|5(?:06|1[49]|48|79|8[147])|6(?:04|[18]3|39|47|72)|7(?:0[59]|42|53|78|8[02])|8(?:[06]7|19|25|7[39])|9(?:0[25]|42))[2-9]\d{6})/,
      DM: /^767/,
      DO: /^(?:8001|8[024]9)/,
      GD: /^473/,
      GU: /^671/,
      JM: /^(?:658|876)/,
      KN: /^869/,
      KY: /^345/,
      LC: /^758/,
      MP: /^670/,
      MS: /^664/,
      PR: /^(?:787|939)/,
      SX: /^721/,
      TC: /^649/,
      TT: /^868/,
      VC: /^784/,
      VG: /^284/,
      VI: /^340/,
    },
  },
  7: {
    trunk: /^8/,
    lengths: [10, 14],
    national: /^(?:8\d{13}|[347-9]\d{9})$/,
    countries: {
      RU: /^[3489]/,
      KZ: /^7/,
    },
  },
  20: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:[189]\d{8,9}|[24-6]\d{8}|[135]\d{7})$/,
    countries: { EG: /^/ },
  },
  27: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10],
    national: /^(?:[1-79]\d{8}|8\d{4,9})$/,
    countries: { ZA: /^/ },
  },
  30: {
    lengths: [10, 11, 12],
    national: /^(?:5005000\d{3}|8\d{9,11}|(?:[269]\d|70)\d{8})$/,
    countries: { GR: /^/ },
  },
  31: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10, 11],
    national: /^(?:(?:[124-7]\d\d|3(?:[02-9]\d|1[0-8]))\d{6}|8\d{6,9}|9\d{6,10}|1\d{4,5})$/,
    countries: { NL: /^/ },
  },
  32: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:4\d{8}|[1-9]\d{7})$/,
    countries: { BE: /^/ },
  },
  33: {
    trunk: /^0/,
    lengths: [9],
    national: /^[1-9]\d{8}$/,
    countries: { FR: /^/ },
  },
  34: {
    lengths: [9],
    national: /^(?:400\d{6}|(?:51|[6-9]\d)\d{7})$/,
    countries: { ES: /^/ },
  },
  36: {
    trunk: /^06/,
    lengths: [8, 9],
    national: /^(?:[235-7]\d{8}|[1-9]\d{7})$/,
    countries: { HU: /^/ },
  },
  39: {
    lengths: [6, 7, 8, 9, 10, 11, 12],
    national: /^(?:0\d{5,11}|1\d{8,10}|3(?:[0-8]\d{7,10}|9\d{7,8})|(?:43|55|70)\d{8}|8\d{5}(?:\d{2,4})?)$/,
    countries: {
      IT: /^./,
      VA: /^06698/,
    },
  },
  40: {
    trunk: /^0/,
    lengths: [6, 9],
    national: /^(?:(?:[2378]\d|90)\d{7}|[23]\d{5})$/,
    countries: { RO: /^/ },
  },
  41: {
    trunk: /^0/,
    lengths: [9, 12],
    national: /^(?:8\d{11}|[2-9]\d{8})$/,
    countries: { CH: /^/ },
  },
  43: {
    trunk: /^0/,
    lengths: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    national:
      /^(?:1\d{3,12}|2\d{6,12}|43(?:(?:0\d|5[02-9])\d{3,9}|2\d{4,5}|[3467]\d{4}|8\d{4,6}|9\d{4,7})|5\d{4,12}|8\d{7,12}|9\d{8,12}|(?:[367]\d|4[0-24-9])\d{4,11})$/,
    countries: { AT: /^/ },
  },
  44: {
    trunk: /^(?:0|180020)/,
    lengths: [7, 9, 10],
    national: /^(?:[1-357-9]\d{9}|[18]\d{8}|8\d{6})$/,
    countries: {
      GB: /^[127]/,
      GG: /^(?:1481[25-9]\d{5}|7(?:(?:781|839)\d|911[17])\d{5})/,
      IM: /^(?:74576|(?:16|7[56])24)/,
      JE: /^(?:1534[0-24-8]\d{5}|7(?:(?:(?:50|82)9|937)\d|7(?:00[378]|97\d))\d{5})/,
    },
  },
  45: {
    lengths: [8],
    national: /^[2-9]\d{7}$/,
    countries: { DK: /^/ },
  },
  46: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 10, 12],
    national: /^(?:(?:[26]\d\d|9)\d{9}|[1-9]\d{8}|[1-689]\d{7}|[1-4689]\d{6}|2\d{5})$/,
    countries: { SE: /^/ },
  },
  47: {
    lengths: [5, 8],
    national: /^(?:(?:0|[2-9]\d{3})\d{4})$/,
    countries: {
      NO: /^(?:[02-689]|7[0-8])/,
      SJ: /^79/,
    },
  },
  48: {
    lengths: [6, 7, 8, 9, 10],
    national: /^(?:(?:6|8\d\d)\d{7}|[1-9]\d{6}(?:\d{2})?|[26]\d{5})$/,
    countries: { PL: /^/ },
  },
  49: {
    trunk: /^0/,
    lengths: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    national:
      /^(?:[2579]\d{5,14}|49(?:[34]0|69|8\d)\d\d?|49(?:37|49|60|7[089]|9\d)\d{1,3}|49(?:2[024-9]|3[2-689]|7[1-7])\d{1,8}|(?:1|[368]\d|4[0-8])\d{3,13}|49(?:[015]\d|2[13]|31|[46][1-8])\d{1,9})$/,
    countries: { DE: /^/ },
  },
  51: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:[14-8]|9\d)\d{7})$/,
    countries: { PE: /^/ },
  },
  52: {
    trunk: /^1/,
    lengths: [10],
    national: /^[2-9]\d{9}$/,
    countries: { MX: /^/ },
  },
  53: {
    trunk: /^0/,
    lengths: [6, 7, 8, 10],
    national: /^(?:(?:[2-7]|8\d\d)\d{7}|[2-47]\d{6}|[34]\d{5})$/,
    countries: { CU: /^/ },
  },
  54: {
    trunk: /^0/,
    lengths: [10, 11],
    national: /^(?:(?:11|[89]\d\d)\d{8}|[2368]\d{9})$/,
    countries: { AR: /^/ },
  },
  55: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11],
    national: /^(?:[1-467]\d{9,10}|55[0-46-9]\d{8}|[34]\d{7}|55\d{7,8}|(?:5[0-46-9]|[89]\d)\d{7,9})$/,
    countries: { BR: /^/ },
  },
  56: {
    lengths: [9, 10, 11],
    national: /^(?:12300\d{6}|6\d{9,10}|[2-9]\d{8})$/,
    countries: { CL: /^/ },
  },
  57: {
    trunk: /^0/,
    lengths: [8, 10, 11],
    national: /^(?:(?:46|60\d\d)\d{6}|(?:1\d|[39])\d{9})$/,
    countries: { CO: /^/ },
  },
  58: {
    trunk: /^0/,
    lengths: [10],
    national: /^(?:[68]00\d{7}|(?:[24]\d|[59]0)\d{8})$/,
    countries: { VE: /^/ },
  },
  60: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:1\d{8,9}|(?:3\d|[4-9])\d{7})$/,
    countries: { MY: /^/ },
  },
  61: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10, 12],
    national: /^(?:1(?:[0-79]\d{7}(?:\d(?:\d{2})?)?|8[0-24-9]\d{7})|[2-478]\d{8}|1\d{4,7})$/,
    countries: {
      AU: /^(?!8[59]1)/,
      CC: null,
      CX: null,
    },
  },
  62: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
    national: /^(?:00[1-9]\d{9,14}|(?:[1-36]|8\d{5})\d{6}|00\d{9}|[1-9]\d{8,10}|[2-9]\d{7})$/,
    countries: { ID: /^/ },
  },
  63: {
    trunk: /^0/,
    lengths: [6, 8, 9, 10, 11, 12, 13],
    national: /^(?:(?:[2-7]|9\d)\d{8}|2\d{5}|(?:1800|8)\d{7,9})$/,
    countries: { PH: /^/ },
  },
  64: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10],
    national: /^(?:[1289]\d{9}|50\d{5}(?:\d{2,3})?|[27-9]\d{7,8}|(?:[34]\d|6[0-35-9])\d{6}|8\d{4,6})$/,
    countries: { NZ: /^/ },
  },
  65: {
    lengths: [8, 10, 11],
    national: /^(?:(?:(?:1\d|8)\d\d|7000)\d{7}|[3689]\d{7})$/,
    countries: { SG: /^/ },
  },
  66: {
    trunk: /^0/,
    lengths: [8, 9, 10, 13],
    national: /^(?:(?:001800|[2-57]|[689]\d)\d{7}|1\d{7,9})$/,
    countries: { TH: /^/ },
  },
  81: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
    national: /^(?:00[1-9]\d{6,14}|[25-9]\d{9}|(?:00|[1-9]\d\d)\d{6})$/,
    countries: { JP: /^/ },
  },
  82: {
    trunk: /^0/,
    lengths: [5, 6, 8, 9, 10, 11, 12, 13, 14],
    national:
      /^(?:00[1-9]\d{8,11}|(?:[12]|5\d{3})\d{7}|[13-6]\d{9}|(?:[1-6]\d|80)\d{7}|[3-6]\d{4,5}|(?:00|7)0\d{8})$/,
    countries: { KR: /^/ },
  },
  84: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10],
    national: /^(?:[12]\d{9}|[135-9]\d{8}|[16]\d{6,7}|7\d{6})$/,
    countries: { VN: /^/ },
  },
  86: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10, 11, 12],
    national:
      /^(?:(?:(?:1[03-689]|2\d)\d\d|6)\d{8}|1\d{10}|[126]\d{6}(?:\d(?:\d{2})?)?|86\d{5,6}|(?:[3-579]\d|8[0-57-9])\d{5,9})$/,
    countries: { CN: /^/ },
  },
  90: {
    trunk: /^0/,
    lengths: [7, 10, 12, 13],
    national: /^(?:4\d{6}|8\d{11,12}|(?:[2-58]\d\d|900)\d{7})$/,
    countries: { TR: /^/ },
  },
  91: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11, 12, 13],
    national: /^(?:(?:000800|[2-9]\d\d)\d{7}|1\d{7,12})$/,
    countries: { IN: /^/ },
  },
  92: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11, 12],
    national:
      /^(?:122\d{6}|[24-8]\d{10,11}|9(?:[013-9]\d{8,10}|2(?:[01]\d\d|2(?:[06-8]\d|1[01]))\d{7})|(?:[2-8]\d{3}|92(?:[0-7]\d|8[1-9]))\d{6}|[24-9]\d{8}|[89]\d{7})$/,
    countries: { PK: /^/ },
  },
  93: {
    trunk: /^0/,
    lengths: [9],
    national: /^[2-7]\d{8}$/,
    countries: { AF: /^/ },
  },
  94: {
    trunk: /^0/,
    lengths: [9],
    national: /^[1-9]\d{8}$/,
    countries: { LK: /^/ },
  },
  95: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 10],
    national: /^(?:1\d{5,7}|95\d{6}|(?:[4-7]|9[0-46-9])\d{6,8}|(?:2|8\d)\d{5,8})$/,
    countries: { MM: /^/ },
  },
  98: {
    trunk: /^0/,
    lengths: [4, 5, 6, 7, 10],
    national: /^(?:[1-9]\d{9}|(?:[1-8]\d\d|9)\d{3,4})$/,
    countries: { IR: /^/ },
  },
  211: {
    trunk: /^0/,
    lengths: [9],
    national: /^[19]\d{8}$/,
    countries: { SS: /^/ },
  },
  212: {
    trunk: /^0/,
    lengths: [9],
    national: /^[5-8]\d{8}$/,
    countries: {
      MA: /^[5-8]/,
      EH: null,
    },
  },
  213: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:[1-4]|[5-79]\d|80)\d{7})$/,
    countries: { DZ: /^/ },
  },
  216: {
    lengths: [8],
    national: /^[2-57-9]\d{7}$/,
    countries: { TN: /^/ },
  },
  218: {
    trunk: /^0/,
    lengths: [9],
    national: /^[2-9]\d{8}$/,
    countries: { LY: /^/ },
  },
  220: {
    lengths: [7, 9],
    national: /^(?:[48]\d{8}|[2-9]\d{6})$/,
    countries: { GM: /^/ },
  },
  221: {
    lengths: [9],
    national: /^(?:(?:[378]\d|93)\d{7})$/,
    countries: { SN: /^/ },
  },
  222: {
    lengths: [8],
    national: /^(?:(?:[2-4]\d\d|800)\d{5})$/,
    countries: { MR: /^/ },
  },
  223: {
    lengths: [8],
    national: /^[24-9]\d{7}$/,
    countries: { ML: /^/ },
  },
  224: {
    lengths: [8, 9],
    national: /^(?:722\d{6}|(?:3|6\d)\d{7})$/,
    countries: { GN: /^/ },
  },
  225: {
    lengths: [10],
    national: /^[02]\d{9}$/,
    countries: { CI: /^/ },
  },
  226: {
    lengths: [8],
    national: /^[024-7]\d{7}$/,
    countries: { BF: /^/ },
  },
  227: {
    lengths: [8],
    national: /^[027-9]\d{7}$/,
    countries: { NE: /^/ },
  },
  228: {
    lengths: [8],
    national: /^[279]\d{7}$/,
    countries: { TG: /^/ },
  },
  229: {
    lengths: [10],
    national: /^01\d{8}$/,
    countries: { BJ: /^/ },
  },
  230: {
    lengths: [7, 8, 10],
    national: /^(?:(?:[57]|8\d\d)\d{7}|[2-468]\d{6})$/,
    countries: { MU: /^/ },
  },
  231: {
    trunk: /^0/,
    lengths: [7, 8, 9],
    national: /^(?:(?:[2457]\d|33|88)\d{7}|(?:2\d|[4-6])\d{6})$/,
    countries: { LR: /^/ },
  },
  232: {
    trunk: /^0/,
    lengths: [8],
    national: /^(?:(?:[237-9]\d|66)\d{6})$/,
    countries: { SL: /^/ },
  },
  233: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:[235]\d{8}|800\d{5,6})$/,
    countries: { GH: /^/ },
  },
  234: {
    trunk: /^0/,
    lengths: [10, 11, 12, 13, 14],
    national: /^(?:(?:20|9\d)\d{8}|[78]\d{9,13})$/,
    countries: { NG: /^/ },
  },
  235: {
    lengths: [8],
    national: /^(?:(?:22|[3689]\d|77)\d{6})$/,
    countries: { TD: /^/ },
  },
  236: {
    lengths: [8],
    national: /^(?:8776\d{4}|(?:[27]\d|61)\d{6})$/,
    countries: { CF: /^/ },
  },
  237: {
    lengths: [8, 9],
    national: /^(?:[26]\d{8}|88\d{6,7})$/,
    countries: { CM: /^/ },
  },
  238: {
    lengths: [7],
    national: /^(?:(?:[2-59]\d\d|800)\d{4})$/,
    countries: { CV: /^/ },
  },
  239: {
    lengths: [7],
    national: /^(?:(?:22|9\d)\d{5})$/,
    countries: { ST: /^/ },
  },
  240: {
    lengths: [9],
    national: /^(?:222\d{6}|(?:3\d|55|[89]0)\d{7})$/,
    countries: { GQ: /^/ },
  },
  241: {
    trunk: /^0(?=\d)/,
    lengths: [7, 8],
    national: /^(?:(?:[067]\d|11)\d{6}|[2-7]\d{6})$/,
    countries: { GA: /^/ },
  },
  242: {
    lengths: [9],
    national: /^(?:222\d{6}|(?:0\d|80)\d{7})$/,
    countries: { CG: /^/ },
  },
  243: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10],
    national: /^(?:(?:(?:[189]|5\d)\d|2)\d{7}|[1-68]\d{6})$/,
    countries: { CD: /^/ },
  },
  244: {
    lengths: [9],
    national: /^[29]\d{8}$/,
    countries: { AO: /^/ },
  },
  245: {
    lengths: [7, 9],
    national: /^(?:[49]\d{8}|4\d{6})$/,
    countries: { GW: /^/ },
  },
  246: {
    lengths: [7],
    national: /^3\d{6}$/,
    countries: { IO: /^/ },
  },
  247: {
    lengths: [5, 6],
    national: /^(?:(?:[01589]\d|[2-467])\d{4})$/,
    countries: { AC: /^/ },
  },
  248: {
    lengths: [7],
    national: /^(?:(?:[2489]\d|64)\d{5})$/,
    countries: { SC: /^/ },
  },
  249: {
    trunk: /^0/,
    lengths: [9],
    national: /^[19]\d{8}$/,
    countries: { SD: /^/ },
  },
  250: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:06|[27]\d\d|[89]00)\d{6})$/,
    countries: { RW: /^/ },
  },
  251: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:(?:11|[2-57-9]\d)\d{7})$/,
    countries: { ET: /^/ },
  },
  252: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9],
    national: /^(?:[346-9]\d{8}|[12679]\d{7}|[1-5]\d{6}|[1348]\d{5})$/,
    countries: { SO: /^/ },
  },
  253: {
    lengths: [8],
    national: /^(?:(?:2\d|77)\d{6})$/,
    countries: { DJ: /^/ },
  },
  254: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10],
    national: /^(?:(?:[17]\d\d|900)\d{6}|(?:2|80)0\d{6,7}|[4-6]\d{6,8})$/,
    countries: { KE: /^/ },
  },
  255: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:(?:[25-8]\d|41|90)\d{7})$/,
    countries: { TZ: /^/ },
  },
  256: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:800\d{6}|(?:[29]0|[347]\d)\d{7})$/,
    countries: { UG: /^/ },
  },
  257: {
    lengths: [8],
    national: /^(?:(?:[267]\d|31)\d{6})$/,
    countries: { BI: /^/ },
  },
  258: {
    lengths: [8, 9],
    national: /^(?:(?:2|8\d)\d{7})$/,
    countries: { MZ: /^/ },
  },
  260: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:800\d{6}|(?:21|[579]\d|63)\d{7})$/,
    countries: { ZM: /^/ },
  },
  261: {
    trunk: /^0/,
    lengths: [9],
    national: /^[23]\d{8}$/,
    countries: { MG: /^/ },
  },
  262: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:709\d{6}|(?:26|[689]\d)\d{7})$/,
    countries: {
      RE: /^(?:26|69|709)/,
      YT: /^(?:26(?:89\d|9(?:0[0-467]|15|5[0-4]|6\d|[78]0))\d{4}|(?:639(?:0[0-79]|1[019]|[267]\d|3[09]|40|5[05-9]|9[04-79])|7093[5-7])\d{4})/,
    },
  },
  263: {
    trunk: /^0/,
    lengths: [7, 9, 10],
    national: /^(?:8\d{6}(?:\d{3})?|[235-8]\d{8})$/,
    countries: { ZW: /^/ },
  },
  264: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^[68]\d{7,8}$/,
    countries: { NA: /^/ },
  },
  265: {
    trunk: /^0/,
    lengths: [7, 9],
    national: /^(?:(?:[1289]\d|31|77)\d{7}|1\d{6})$/,
    countries: { MW: /^/ },
  },
  266: {
    lengths: [8],
    national: /^(?:(?:[256]\d\d|800)\d{5})$/,
    countries: { LS: /^/ },
  },
  267: {
    lengths: [7, 8, 10],
    national: /^(?:90\d{5}|(?:0800|[2-6]|(?:7|800)\d)\d{6})$/,
    countries: { BW: /^/ },
  },
  268: {
    lengths: [8, 9],
    national: /^(?:0800\d{4}|(?:[237]\d|900)\d{6})$/,
    countries: { SZ: /^/ },
  },
  269: {
    lengths: [7],
    national: /^[3478]\d{6}$/,
    countries: { KM: /^/ },
  },
  290: {
    lengths: [4, 5],
    national: /^(?:(?:[2569]\d|8)\d{3})$/,
    countries: {
      SH: /^[2569]/,
      TA: /^8/,
    },
  },
  291: {
    trunk: /^0/,
    lengths: [7],
    national: /^[178]\d{6}$/,
    countries: { ER: /^/ },
  },
  297: {
    lengths: [7],
    national: /^(?:(?:[25-79]\d\d|800)\d{4})$/,
    countries: { AW: /^/ },
  },
  298: {
    lengths: [6],
    national: /^[2-9]\d{5}$/,
    countries: { FO: /^/ },
  },
  299: {
    lengths: [6],
    national: /^(?:(?:19|[2-689]\d|70)\d{4})$/,
    countries: { GL: /^/ },
  },
  350: {
    lengths: [8],
    national: /^(?:(?:[25]\d|60)\d{6})$/,
    countries: { GI: /^/ },
  },
  351: {
    lengths: [9],
    national: /^(?:1693\d{5}|(?:[26-9]\d|30)\d{7})$/,
    countries: { PT: /^/ },
  },
  352: {
    lengths: [4, 5, 6, 7, 8, 9, 10, 11],
    national: /^(?:35[013-9]\d{4,8}|6\d{8}|35\d{2,4}|(?:[2457-9]\d|3[0-46-9])\d{2,9})$/,
    countries: { LU: /^/ },
  },
  353: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10],
    national: /^(?:(?:1\d|[2569])\d{6,8}|4\d{6,9}|7\d{8}|8\d{8,9})$/,
    countries: { IE: /^/ },
  },
  354: {
    lengths: [7, 9],
    national: /^(?:(?:38\d|[4-9])\d{6})$/,
    countries: { IS: /^/ },
  },
  355: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9],
    national: /^(?:(?:700\d\d|900)\d{3}|8\d{5,7}|(?:[2-5]|6\d)\d{7})$/,
    countries: { AL: /^/ },
  },
  356: {
    lengths: [8],
    national: /^(?:3550\d{4}|(?:[2579]\d\d|800)\d{5})$/,
    countries: { MT: /^/ },
  },
  357: {
    lengths: [8],
    national: /^(?:(?:[279]\d|[58]0)\d{6})$/,
    countries: { CY: /^/ },
  },
  358: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10, 11, 12],
    national: /^(?:[1-35689]\d{4}|7\d{10,11}|(?:[124-7]\d|3[0-46-9])\d{8}|[1-9]\d{5,8})$/,
    countries: {
      FI: /^(?:1[03-79]|[2-9])/,
      AX: /^18/,
    },
  },
  359: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 12],
    national: /^(?:00800\d{7}|[2-7]\d{6,7}|[89]\d{6,8}|2\d{5})$/,
    countries: { BG: /^/ },
  },
  370: {
    trunk: /^[08]/,
    lengths: [8],
    national: /^(?:(?:[3469]\d|52|[78]0)\d{6})$/,
    countries: { LT: /^/ },
  },
  371: {
    lengths: [8],
    national: /^(?:(?:[268]\d|78|90)\d{6})$/,
    countries: { LV: /^/ },
  },
  372: {
    lengths: [7, 8, 10],
    national: /^(?:8\d{9}|[4578]\d{7}|(?:[3-8]\d|90)\d{5})$/,
    countries: { EE: /^/ },
  },
  373: {
    trunk: /^0/,
    lengths: [8],
    national: /^(?:(?:[235-7]\d|[89]0)\d{6})$/,
    countries: { MD: /^/ },
  },
  374: {
    trunk: /^0/,
    lengths: [8],
    national: /^(?:(?:[1-489]\d|55|60|77)\d{6})$/,
    countries: { AM: /^/ },
  },
  375: {
    trunk: /^(?:0|80?)/,
    lengths: [6, 7, 8, 9, 10, 11],
    national:
      /^(?:(?:[12]\d|33|44|902)\d{7}|8(?:0[0-79]\d{5,7}|[1-7]\d{9})|8(?:1[0-489]|[5-79]\d)\d{7}|8[1-79]\d{6,7}|8[0-79]\d{5}|8\d{5})$/,
    countries: { BY: /^/ },
  },
  376: {
    lengths: [6, 8, 9],
    national: /^(?:(?:1|6\d)\d{7}|[135-9]\d{5})$/,
    countries: { AD: /^/ },
  },
  377: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:[3489]|[67]\d)\d{7})$/,
    countries: { MC: /^/ },
  },
  378: {
    lengths: [8, 10],
    national: /^(?:(?:0549|[5-7]\d)\d{6})$/,
    countries: { SM: /^/ },
  },
  380: {
    trunk: /^0/,
    lengths: [9, 10],
    national: /^(?:[89]\d{9}|[3-9]\d{8})$/,
    countries: { UA: /^/ },
  },
  381: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 10, 11, 12],
    national:
      /^(?:38[02-9]\d{6,9}|6\d{7,9}|90\d{4,8}|38\d{5,6}|(?:7\d\d|800)\d{3,9}|(?:[12]\d|3[0-79])\d{5,10})$/,
    countries: { RS: /^/ },
  },
  382: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:20|[3-79]\d)\d{6}|80\d{6,7})$/,
    countries: { ME: /^/ },
  },
  383: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11, 12],
    national: /^(?:2\d{7,8}|3\d{7,11}|(?:4\d\d|[89]00)\d{5})$/,
    countries: { XK: /^/ },
  },
  385: {
    trunk: /^0/,
    lengths: [7, 8, 9],
    national: /^(?:[2-69]\d{8}|80\d{5,7}|[1-79]\d{7}|6\d{6})$/,
    countries: { HR: /^/ },
  },
  386: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8],
    national: /^(?:[1-7]\d{7}|8\d{4,7}|90\d{4,6})$/,
    countries: { SI: /^/ },
  },
  387: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:6\d{8}|(?:[35689]\d|49|70)\d{6})$/,
    countries: { BA: /^/ },
  },
  389: {
    trunk: /^0/,
    lengths: [8],
    national: /^[2-578]\d{7}$/,
    countries: { MK: /^/ },
  },
  420: {
    lengths: [9, 10, 11, 12],
    national: /^(?:(?:[2-578]\d|60)\d{7}|9\d{8,11})$/,
    countries: { CZ: /^/ },
  },
  421: {
    trunk: /^0/,
    lengths: [6, 7, 9],
    national: /^(?:[2-689]\d{8}|[2-59]\d{6}|[2-5]\d{5})$/,
    countries: { SK: /^/ },
  },
  423: {
    trunk: /^0/,
    lengths: [7, 9],
    national: /^(?:[68]\d{8}|(?:[2378]\d|90)\d{5})$/,
    countries: { LI: /^/ },
  },
  500: {
    lengths: [5],
    national: /^[2-7]\d{4}$/,
    countries: { FK: /^/ },
  },
  501: {
    lengths: [7, 11],
    national: /^(?:(?:0800\d|[2-8])\d{6})$/,
    countries: { BZ: /^/ },
  },
  502: {
    lengths: [8, 11],
    national: /^(?:80\d{6}|(?:1\d{3}|[2-7])\d{7})$/,
    countries: { GT: /^/ },
  },
  503: {
    lengths: [7, 8, 11],
    national: /^(?:[25-7]\d{7}|(?:80\d|900)\d{4}(?:\d{4})?)$/,
    countries: { SV: /^/ },
  },
  504: {
    lengths: [8, 11],
    national: /^(?:8\d{10}|[237-9]\d{7})$/,
    countries: { HN: /^/ },
  },
  505: {
    lengths: [8],
    national: /^(?:(?:1800|[25-8]\d{3})\d{4})$/,
    countries: { NI: /^/ },
  },
  506: {
    lengths: [8, 10],
    national: /^(?:(?:8\d|90)\d{8}|(?:[24-8]\d{3}|3005)\d{4})$/,
    countries: { CR: /^/ },
  },
  507: {
    lengths: [7, 8, 10, 11],
    national: /^(?:(?:00800|8\d{3})\d{6}|[68]\d{7}|[1-57-9]\d{6})$/,
    countries: { PA: /^/ },
  },
  508: {
    trunk: /^0/,
    lengths: [6, 9],
    national: /^(?:[78]\d{8}|[2-9]\d{5})$/,
    countries: { PM: /^/ },
  },
  509: {
    lengths: [8],
    national: /^[2-589]\d{7}$/,
    countries: { HT: /^/ },
  },
  590: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:7090\d{5}|(?:[56]9|[89]\d)\d{7})$/,
    countries: {
      GP: null,
      BL: null,
      MF: null,
    },
  },
  591: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:[2-7]\d\d|8001)\d{5})$/,
    countries: { BO: /^/ },
  },
  592: {
    lengths: [7],
    national: /^(?:(?:[2-8]\d{3}|9008)\d{3})$/,
    countries: { GY: /^/ },
  },
  593: {
    trunk: /^0/,
    lengths: [8, 9, 10, 11],
    national: /^(?:1\d{9,10}|(?:[2-7]|9\d)\d{7})$/,
    countries: { EC: /^/ },
  },
  594: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:(?:694\d|7093)\d{5}|(?:59|[89]\d)\d{7})$/,
    countries: { GF: /^/ },
  },
  595: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 10, 11],
    national: /^(?:[36-8]\d{5,8}|4\d{6,8}|59\d{6}|9\d{5,10}|(?:2\d|5[0-8])\d{6,7})$/,
    countries: { PY: /^/ },
  },
  596: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:7091\d{5}|(?:[56]9|[89]\d)\d{7})$/,
    countries: { MQ: /^/ },
  },
  597: {
    lengths: [6, 7],
    national: /^(?:(?:[2-5]|[6-9]\d)\d{5})$/,
    countries: { SR: /^/ },
  },
  598: {
    trunk: /^0/,
    lengths: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    national: /^(?:0004\d{2,9}|[1249]\d{7}|2\d{3,4}|(?:[49]\d|80)\d{5})$/,
    countries: { UY: /^/ },
  },
  599: {
    lengths: [7, 8],
    national: /^(?:(?:[34]1|60|(?:7|9\d)\d)\d{5})$/,
    countries: {
      CW: /^[69]/,
      BQ: /^[347]/,
    },
  },
  670: {
    lengths: [7, 8],
    national: /^(?:7\d{7}|(?:[2-47]\d|[89]0)\d{5})$/,
    countries: { TL: /^/ },
  },
  672: {
    lengths: [6],
    national: /^[13]\d{5}$/,
    countries: { NF: /^/ },
  },
  673: {
    lengths: [7],
    national: /^[2-578]\d{6}$/,
    countries: { BN: /^/ },
  },
  674: {
    lengths: [7],
    national: /^(?:(?:222|444|(?:55|8\d)\d|666|777|999)\d{4})$/,
    countries: { NR: /^/ },
  },
  675: {
    lengths: [7, 8],
    national: /^(?:(?:180|[78]\d{3})\d{4}|(?:[2-589]\d|64)\d{5})$/,
    countries: { PG: /^/ },
  },
  676: {
    lengths: [5, 7],
    national: /^(?:(?:0800|(?:[5-8]\d\d|999)\d)\d{3}|[2-8]\d{4})$/,
    countries: { TO: /^/ },
  },
  677: {
    lengths: [5, 7],
    national: /^(?:[6-9]\d{6}|[1-6]\d{4})$/,
    countries: { SB: /^/ },
  },
  678: {
    lengths: [5, 7],
    national: /^(?:[57-9]\d{6}|(?:[238]\d|48)\d{3})$/,
    countries: { VU: /^/ },
  },
  679: {
    lengths: [7, 11],
    national: /^(?:45\d{5}|(?:0800\d|[235-9])\d{6})$/,
    countries: { FJ: /^/ },
  },
  680: {
    lengths: [7],
    national: /^(?:(?:[24-8]\d\d|345|900)\d{4})$/,
    countries: { PW: /^/ },
  },
  681: {
    lengths: [6, 9],
    national: /^(?:(?:40|72|8\d{4})\d{4}|[89]\d{5})$/,
    countries: { WF: /^/ },
  },
  682: {
    lengths: [5],
    national: /^[2-578]\d{4}$/,
    countries: { CK: /^/ },
  },
  683: {
    lengths: [4, 7],
    national: /^(?:(?:[4-7]|888\d)\d{3})$/,
    countries: { NU: /^/ },
  },
  685: {
    lengths: [5, 6, 7, 10],
    national: /^(?:(?:[2-6]|8\d{5})\d{4}|[78]\d{6}|[68]\d{5})$/,
    countries: { WS: /^/ },
  },
  686: {
    trunk: /^0/,
    lengths: [5, 8],
    national: /^(?:(?:[37]\d|6[0-79])\d{6}|(?:[2-48]\d|50)\d{3})$/,
    countries: { KI: /^/ },
  },
  687: {
    lengths: [6],
    national: /^(?:(?:050|[2-57-9]\d\d)\d{3})$/,
    countries: { NC: /^/ },
  },
  688: {
    lengths: [5, 6, 7],
    national: /^(?:(?:2|7\d\d|90)\d{4})$/,
    countries: { TV: /^/ },
  },
  689: {
    lengths: [6, 8, 9],
    national: /^(?:4\d{5}(?:\d{2})?|8\d{7,8})$/,
    countries: { PF: /^/ },
  },
  690: {
    lengths: [4, 5, 6, 7],
    national: /^[2-47]\d{3,6}$/,
    countries: { TK: /^/ },
  },
  691: {
    lengths: [7],
    national: /^(?:(?:[39]\d\d|820)\d{4})$/,
    countries: { FM: /^/ },
  },
  692: {
    trunk: /^1/,
    lengths: [7],
    national: /^(?:329\d{4}|(?:[256]\d|45)\d{5})$/,
    countries: { MH: /^/ },
  },
  800: {
    lengths: [8],
    national: /^(?:(?:00|[1-9]\d)\d{6})$/,
    countries: {},
  },
  808: {
    lengths: [8],
    national: /^[1-9]\d{7}$/,
    countries: {},
  },
  850: {
    trunk: /^0/,
    lengths: [8, 10],
    national: /^(?:85\d{6}|(?:19\d|[2-7])\d{7})$/,
    countries: { KP: /^/ },
  },
  852: {
    lengths: [5, 6, 7, 8, 9, 11],
    national: /^(?:8[0-46-9]\d{6,7}|9\d{4,7}|(?:[2-7]|9\d{3})\d{7})$/,
    countries: { HK: /^/ },
  },
  853: {
    lengths: [7, 8],
    national: /^(?:0800\d{3}|(?:28|[68]\d)\d{6})$/,
    countries: { MO: /^/ },
  },
  855: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:1\d{9}|[1-9]\d{7,8})$/,
    countries: { KH: /^/ },
  },
  856: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:(?:2\d|3)\d{8}|(?:[235-8]\d|41)\d{6})$/,
    countries: { LA: /^/ },
  },
  870: {
    lengths: [9, 12],
    national: /^(?:7\d{11}|[235-7]\d{8})$/,
    countries: {},
  },
  878: {
    lengths: [12],
    national: /^10\d{10}$/,
    countries: {},
  },
  880: {
    trunk: /^0/,
    lengths: [6, 7, 8, 9, 10],
    national: /^(?:[1-469]\d{9}|8[0-79]\d{7,8}|[2-79]\d{8}|[2-9]\d{7}|[3-9]\d{6}|[57-9]\d{5})$/,
    countries: { BD: /^/ },
  },
  881: {
    lengths: [9, 10],
    national: /^(?:6\d{9}|[0-36-9]\d{8})$/,
    countries: {},
  },
  882: {
    lengths: [7, 8, 9, 10, 11, 12],
    national: /^(?:[13]\d{6}(?:\d{2,5})?|[19]\d{7}|(?:[25]\d\d|4)\d{7}(?:\d{2})?)$/,
    countries: {},
  },
  883: {
    lengths: [8, 9, 10, 11, 12],
    national: /^(?:(?:[1-4]\d|51)\d{6,10})$/,
    countries: {},
  },
  886: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10, 11],
    national: /^(?:[2-689]\d{8}|7\d{9,10}|[2-8]\d{7}|2\d{6})$/,
    countries: { TW: /^/ },
  },
  888: {
    lengths: [11],
    national: /^\d{11}$/,
    countries: {},
  },
  960: {
    lengths: [7, 10],
    national: /^(?:(?:800|9[0-57-9]\d)\d{7}|[34679]\d{6})$/,
    countries: { MV: /^/ },
  },
  961: {
    trunk: /^0/,
    lengths: [7, 8],
    national: /^(?:[27-9]\d{7}|[13-9]\d{6})$/,
    countries: { LB: /^/ },
  },
  962: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:(?:(?:[2689]|7\d)\d|32|427|53)\d{6})$/,
    countries: { JO: /^/ },
  },
  963: {
    trunk: /^0/,
    lengths: [8, 9],
    national: /^(?:[1-359]\d{8}|[1-5]\d{7})$/,
    countries: { SY: /^/ },
  },
  964: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:(?:1|7\d\d)\d{7}|[2-6]\d{7,8})$/,
    countries: { IQ: /^/ },
  },
  965: {
    lengths: [7, 8],
    national: /^(?:18\d{5}|(?:[2569]\d|41)\d{6})$/,
    countries: { KW: /^/ },
  },
  966: {
    trunk: /^0/,
    lengths: [9, 10],
    national: /^(?:(?:[15]\d|800|92)\d{7})$/,
    countries: { SA: /^/ },
  },
  967: {
    trunk: /^0/,
    lengths: [7, 8, 9],
    national: /^(?:(?:1|7\d)\d{7}|[1-7]\d{6})$/,
    countries: { YE: /^/ },
  },
  968: {
    lengths: [7, 8, 9],
    national: /^(?:(?:1505|[279]\d{3}|500)\d{4}|800\d{5,6})$/,
    countries: { OM: /^/ },
  },
  970: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:[2489]2\d{6}|(?:1\d|5)\d{8})$/,
    countries: { PS: /^/ },
  },
  971: {
    trunk: /^0/,
    lengths: [5, 6, 7, 8, 9, 10, 11, 12],
    national: /^(?:(?:[4-7]\d|9[0-689])\d{7}|800\d{2,9}|[2-4679]\d{7})$/,
    countries: { AE: /^/ },
  },
  972: {
    trunk: /^0/,
    lengths: [7, 8, 9, 10, 11, 12],
    national: /^(?:1\d{6}(?:\d{3,5})?|[57]\d{8}|[1-489]\d{7})$/,
    countries: { IL: /^/ },
  },
  973: {
    lengths: [8],
    national: /^[136-9]\d{7}$/,
    countries: { BH: /^/ },
  },
  974: {
    lengths: [7, 8, 9, 11],
    national: /^(?:800\d{4}|(?:2|800)\d{6}|(?:0080|[3-7])\d{7})$/,
    countries: { QA: /^/ },
  },
  975: {
    lengths: [7, 8],
    national: /^(?:[178]\d{7}|[2-8]\d{6})$/,
    countries: { BT: /^/ },
  },
  976: {
    trunk: /^0/,
    lengths: [8, 9, 10],
    national: /^(?:[12]\d{7,9}|[5-9]\d{7})$/,
    countries: { MN: /^/ },
  },
  977: {
    trunk: /^0/,
    lengths: [8, 10, 11],
    national: /^(?:(?:1\d|9)\d{9}|[1-9]\d{7})$/,
    countries: { NP: /^/ },
  },
  979: {
    lengths: [9],
    national: /^[1359]\d{8}$/,
    countries: {},
  },
  992: {
    lengths: [9],
    national: /^(?:(?:[0-57-9]\d|66)\d{7})$/,
    countries: { TJ: /^/ },
  },
  993: {
    trunk: /^8/,
    lengths: [8],
    national: /^[1-7]\d{7}$/,
    countries: { TM: /^/ },
  },
  994: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:365\d{6}|(?:[124579]\d|60|88)\d{7})$/,
    countries: { AZ: /^/ },
  },
  995: {
    trunk: /^0/,
    lengths: [9],
    national: /^(?:(?:[3-57]\d\d|800)\d{6})$/,
    countries: { GE: /^/ },
  },
  996: {
    trunk: /^0/,
    lengths: [9, 10],
    national: /^(?:8\d{9}|[235-9]\d{8})$/,
    countries: { KG: /^/ },
  },
  998: {
    lengths: [9],
    national: /^(?:(?:20|33|[5-9]\d)\d{7})$/,
    countries: { UZ: /^/ },
  },
};
