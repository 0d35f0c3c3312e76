/**
 * The widths of the font of the ComfyUI page, Inter, as a browser measures them at 14 px: ten-thousandths of the font
 * size, with the characters that have them. They count at 12 px, too.
 */
const advances: readonly (readonly [width: number, characters: string])[] = [
  [0, '\u00ad'],
  [2422, 'ijlìíîïĩīıĺ'],
  [2607, '‘’'],
  [2681, '¸'],
  [2686, 'IÌÍÎÏĨĪ'],
  [2700, '¦'],
  [2778, 'ĭįĵļ'],
  [2812, ' \u00a0'],
  [2842, 'ł'],
  [2876, '!¡'],
  [2881, ',.:·'],
  [2949, 'ĬĮİĴ'],
  [2998, "'"],
  [3018, ';'],
  [3042, '¹'],
  [3228, '`´'],
  [3272, 't'],
  [3325, '|'],
  [3345, '․'],
  [3418, 'ŀ'],
  [3520, 'ſ'],
  [3604, '/\\'],
  [3648, '()[]'],
  [3701, 'f'],
  [3750, 'ľ'],
  [3765, 'rŕ'],
  [3921, 'ţťŧ'],
  [4067, '1'],
  [4111, 'ŗř'],
  [4263, '{}'],
  [4404, '“”'],
  [4419, '²'],
  [4458, '³'],
  [4536, 'ª'],
  [4556, '°'],
  [4560, '_'],
  [4600, '-'],
  [4658, '"'],
  [4712, '^'],
  [4775, '¯'],
  [4824, 'º'],
  [5000, '–'],
  [5010, '*'],
  [5112, '?¿'],
  [5210, 'ŝşš'],
  [5249, 'żž'],
  [5278, 'sś'],
  [5459, 'x'],
  [5488, 'k'],
  [5498, '¥ĉċč'],
  [5522, 'zź'],
  [5557, 'ĳ'],
  [5571, 'ĻĽĿ'],
  [5615, 'aàáâãäåā'],
  [5620, 'vyýÿŁ'],
  [5625, '•'],
  [5654, 'LĹ'],
  [5659, '7'],
  [5684, '§'],
  [5708, 'J'],
  [5713, 'c¢çć'],
  [5791, 'ķĸ'],
  [5825, '«»ð'],
  [5830, 'eèéêëē'],
  [5859, 'µ'],
  [5898, 'Ĳ'],
  [5903, 'F'],
  [5908, 'n¨ñń'],
  [5913, 'huùúûüũū'],
  [5918, 'ŷ'],
  [5933, '5'],
  [5996, 'oòóôõöøō'],
  [6011, 'EÈÉÊËĒ'],
  [6025, '¶'],
  [6099, '2'],
  [6108, '£ŢŤŦŶ'],
  [6118, 'ŏő'],
  [6123, 'bdpqþ'],
  [6128, 'ăą'],
  [6133, 'g'],
  [6152, 'ĕėęě'],
  [6162, 'ß'],
  [6177, '3'],
  [6186, '8'],
  [6201, '69'],
  [6289, 'ZŹ'],
  [6309, '0'],
  [6318, 'ĔĖĘĚ'],
  [6333, '#'],
  [6338, 'ĥņňŋŭůűų'],
  [6348, 'ďđĝğġģŜŞŠ'],
  [6357, 'Þ'],
  [6387, 'P'],
  [6416, '$SŚ'],
  [6436, 'RŔ'],
  [6440, '&'],
  [6455, 'T'],
  [6460, '4'],
  [6543, 'B'],
  [6558, 'Ķ'],
  [6616, '+<=>~¬±×÷'],
  [6660, '®'],
  [6675, '‥'],
  [6719, 'K'],
  [6787, 'YÝŸ'],
  [6821, 'X'],
  [6841, 'ĂĄ'],
  [6851, 'ŻŽ'],
  [6899, 'AVÀÁÂÃÄÅĀ'],
  [6948, 'ħŖŘ'],
  [6982, 'ĈĊČ'],
  [7217, 'D'],
  [7246, '¤'],
  [7305, 'CÇĆ'],
  [7319, 'ŬŮŰŲ'],
  [7349, 'Ð'],
  [7432, 'H'],
  [7441, 'UÙÚÛÜŨŪ'],
  [7461, 'G'],
  [7480, 'ŅŇŊ'],
  [7520, 'Ĥ'],
  [7534, 'NÑŃ'],
  [7647, 'OQÒÓÔÕÖØŌ'],
  [7700, 'Ď'],
  [7749, 'ĐĜĞĠĢ'],
  [7871, 'ŎŐ'],
  [8022, '¼'],
  [8135, 'ŉ'],
  [8179, 'ŵ'],
  [8184, 'w'],
  [8340, '↑↓'],
  [8379, '→←✓'],
  [8472, '½'],
  [8643, '…'],
  [8760, 'm'],
  [8818, '¾'],
  [9033, 'M'],
  [9141, '©'],
  [9160, 'Ħ'],
  [9175, 'æ'],
  [9658, '@'],
  [9819, '%'],
  [9854, 'W'],
  [9888, 'Ŵ'],
  [9936, 'Æ'],
  [9995, 'œ'],
  [10000, '—'],
  [10049, 'Œ'],
];

/** What two characters beside each other add, in pairs. */
const kerning: readonly (readonly [width: number, pairs: string])[] = [
  [-3691, '=>'],
  [-1675, '-><-'],
  [-1646, '"J\'J'],
  [-1587, '7_'],
  [-1362, '*,*.^,^.'],
  [-1304, 'L^'],
  [-1250, '7,7.'],
  [-1079, '7AK+K-K~_1'],
  [-1021, 'Tt'],
  [-962, '7J=YLTPJV,V.VJW,W.Y=^J'],
  [-908, 'FAL"L\'TJ'],
  [-879, ',?.?'],
  [-864, ',1.1'],
  [-850, 'ATL+L-L~TAbYcYeYk<oYpY'],
  [-820, '",".\',\'.,",\'.".\''],
  [-791, '"A\'A+Y-YA"A\'A^T7V_Y+Y-Y~\\"\\\'\\*\\^^A_V_\\_v_yv_y_~Y'],
  [-781, 'TcTdTeTgToTqbTcTeToTpT'],
  [-767, 'YcYdYeYgYoYq'],
  [-737, '&Y+T-T>\\AYPAT+T-TsTuT~YA\\YaYhYmYnYsTsYw,w.~T'],
  [-732, 'Ta'],
  [-708, 'Ya'],
  [-684, 'AVA\\VAaThTmTnT'],
  [-679, '*_=V=\\AvAwAyFJLVL\\LvLyT4Y4Ys\\w^__*_^vAwAyA'],
  [-625, '"4&V&\\\'4/J:\\;V;\\=W?AA?KwTvTwTxTyV:V;V=W=WJY&Y:Y;\\?f4fJr,r.vJxTyJ'],
  [-581, '74'],
  [-566, '&T7#AWBTJ/T_TmTnTpTrU/WAXa\\W_4_Tf,f.kTrJrTuYv/wJy/'],
  [
    -508,
    '+V+W+\\-V-W-\\7c7d7e7g7m7n7o7p7q7r=A=XA=J_T/U_V&V+V-VaVcVdVeVgVoVqV~W&W+W-W:W;WaWcWdWeWgWoWqW~X=\\=\\v\\yaVaWa\\bVbWb\\cVcWc\\eVeWe\\gThVhWh\\mVmWm\\nVnWn\\oVoWo\\pVpWp\\qTuTwT~V~W~\\',
  ],
  [-488, 'V/\\V\\\\'],
  [-454, '+J-J0_6_7&7a9_=TL1P+P-P~TzVs^4_0_3_5_6_8_9k+k-k4k~sVs\\~J'],
  [-439, ',@,C,G,O,Q.@.C.G.O.Q@,@.D,D.O,O.Q,Q.v,v.y,y.'],
  [
    -396,
    '&W/,/.7s=v=y@/@_C_D/D_F,FcFdFeFgFoFqKcKdKeKgKoKqKvKyO/O_P,Q/Q_T:X4XTYuZ+Z-Z~\\T_@_C_G_O_Q_Ua1h1m1n1r+r-r<rAr~u+u-u<u~v+v-v=v~y+y-y=y~',
  ],
  [-391, 'YmYnYpYrff'],
  [-342, '+X-X0X9XACAGAOAQDADXOAOXQAQXWmWnWpWrX+X-X0X6XCXGXOXQX~\\@\\C\\G\\O\\Qft~X'],
  [
    -337,
    '"&&"&\'&v&w&y\'&+2+A,T,Y-2-A.T.Y0Y4,4.6,6.7:7;9Y;T=x@\\A+A-A1A~DVDYD\\F.F_FuFvFyFzJ,J.K=KCKGKOKQKuLYOVOYO\\P&P.QVQYQ\\T&T,T.T0T6T;T=U,U.V4VCVGVOVQW4WsY,Y.YCYGYJYOYQZCZGZOZQ\\+\\-\\1\\~^&b1bAc1cAe1eAfAo1oAp1pAr/rZsWtTu/u_v<vTvYw&wZx=y<yTyYzT~2~A',
  ],
  [-298, 'DTGTOTQTTCTGTOTQ'],
  [-293, 'FmFnFpFrfcfdfefgfofq'],
  [-283, 'LCLGLOLQXcXdXeXgXoXqYibXcXeXf+f-f/f~oXpXt<'],
  [-269, ',3.35,5.'],
  [-254, ',0,6.0.60,0.9,9.'],
  [-244, '/AFatf'],
  [-239, 'RY'],
  [-225, '+7+x,8-7-x.83,3.8,8.GAGVGYG\\Ltbxcxexfskckdkekgkokqoxpxx+x-xcxdxexgxoxqx~~7~x'],
  [-195, '4197073X4^8XAUAtCAJAUAX3X8\\U\\tbvbycvcyeveyovoypvpyt+t-t~vcvdvevgvovqycydyeygyoyq'],
  [-181, 'bwcwewowpwwcwdwewgwowq'],
  [-166, '73RVR\\rcrdrergrorq'],
  [-156, '247076fatY'],
  [
    -146,
    '"c"d"e"g"o"q\'c\'d\'e\'g\'o\'q3^8^RcRdReRgRoRqavayb"b\'bzc"c\'cze"e\'ezhvhymvmynvnyo"o\'ozp"p\'pzzczdzezgzozq',
  ],
  [-142, '78,5,7.5.7f_t4'],
  [-112, '(c(d(e(g(o(q*@+3-3[c[d[e[g[o[q^@^C^G^O^Qb)b]b}c)c]c}e)e]e}o)o]o}p)p]p}{c{d{e{g{o{q~3'],
  [-98, '7579$X0V0\\9V9\\K$KSSXV0V6X$XStVtWt\\tctdtetgtotqts'],
  [-68, ',9.9'],
  [-54, 'CXGXPcPdPePgPoPq'],
  [-49, '$TRaSTvaya'],
  [
    49,
    '1v1yHvHyIvIyMvMyNvNydvdylvlytavBvDvEvFvHvIvKvLvMvNvPvRvbvhvkvlv|yByDyEyFyHyIyKyLyMyNyPyRybyhykyly||v|y',
  ],
  [54, 'Ai\\i'],
  [83, 'rw'],
  [98, 'bacaeafYoaparitj'],
  [146, '0t1t9tAAHtItMtNtVVV\\\\Adtfwlttwvfvtyfyt|t'],
  [156, 'KirBrDrErFrHrIrKrLrMrNrPrRrbrfrhrjrkrlrmrnrprrrtrvrxryr|'],
  [195, '77A/TYYT\\/tvtyxfxt'],
  [244, 'WW'],
  [283, '(j[j{j'],
  [337, '_B_D_E_F_H_I_K_L_M_N_P_R_b_h_i_k_l_m_n_p_r_|'],
  [962, '_j'],
  [986, '*X*YX*'],
  [1045, '*VV*Y*'],
  [1104, '*A*TA*K*L*T*'],
  [
    1440,
    '!*$*%*&**!*$*%*&*0*1*2*3*4*5*6*7*8*9*?*B*C*D*E*F*G*H*I*J*K*L*M*N*O*P*Q*R*S*U*W*Z*|0*1*2*3*4*5*6*7*8*9*?*B*C*D*E*F*G*H*I*J*M*N*O*P*Q*R*S*U*W*Z*|*',
  ],
];

/** What a browser gives characters that the font lacks: full width for those of East Asia and pictures. */
const [wide, other] = [10_000, 6_000] as const;

let widths: ReadonlyMap<string, number> | undefined;

function table(): ReadonlyMap<string, number> {
  if (widths) return widths;
  const made = new Map<string, number>();
  for (const [width, characters] of advances) for (const each of characters) made.set(each, width);
  for (const [width, pairs] of kerning) {
    for (let at = 0; at < pairs.length; at += 2) made.set(pairs.slice(at, at + 2), width);
  }
  return (widths = made);
}

/** The width of a text in the page's font, in graph units. @param size of the font: 12 or 14 */
export function textWidth(text: string, size: number): number {
  return measured(text, Infinity, size).width;
}

/** The longest start of a text that fits. */
function fittingStart(text: string, room: number, size: number): string {
  return text.slice(0, measured(text, room, size).length);
}

/** How much of a text fits, and the width of that. */
function measured(
  text: string,
  room: number,
  size: number,
): { readonly length: number; readonly width: number } {
  const known = table();
  let [sum, length, before] = [0, 0, ''];
  for (const character of text) {
    let own = known.get(character) ?? (character > '\u2e7f' ? wide : other);
    if (before !== '') own += known.get(before + character) ?? 0;
    if (((sum + own) * size) / 10_000 > room) break;
    sum += own;
    length += character.length;
    before = character;
  }
  return { length, width: (sum * size) / 10_000 };
}

/** The longest start of a text that fits. @param counted as so much of its width the ending takes room */
export function cut(text: string, room: number, size: number, ending: string, counted = 1): string {
  if (measured(text, room, size).length === text.length) return text;
  return fittingStart(text, room - counted * textWidth(ending, size), size) + ending;
}
