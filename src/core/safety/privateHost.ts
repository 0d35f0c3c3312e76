import { withoutEnd } from './ends';

/** Judges the name, as `URL` writes it, by itself: a public name with a private address can't have a certificate either. */
export function isPrivateHost(hostname: string): boolean {
  const host = withoutEnd(hostname, '.');
  if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1));
  const v4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (v4) return isPrivateV4(Number(v4[1]), Number(v4[2]));
  return (
    !host.includes('.') ||
    /\.(localhost|local|internal|intranet|lan|home|home\.arpa|corp|localdomain)$/.test(host)
  );
}

function isPrivateV4(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true;
  if (first === 100) return second >= 64 && second < 128;
  if (first === 169) return second === 254;
  if (first === 172) return second >= 16 && second < 32;
  if (first === 192) return second === 168;
  return first === 198 && (second === 18 || second === 19);
}

/** As `URL` writes them: lower case, the longest row of zeros left out. */
function isPrivateV6(host: string): boolean {
  // An address of version 4 in one of version 6: ::ffff:7f00:1, translated ::ffff:0:7f00:1 and 64:ff9b::7f00:1, and
  // the network behind a relay, 2002:7f00:1::.
  const inside =
    /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(host)?.[1] ??
    /^2002:([0-9a-f]{1,4}):/.exec(host)?.[1];
  if (inside !== undefined) return isPrivateV4(parseInt(inside, 16) >> 8, parseInt(inside, 16) & 0xff);
  // Unspecified, this machine, translated, local to the link, the site or the organization, and multicast.
  return /^(::[0-9a-f]{0,4}$|64:ff9b:(?:1:|:[0-9a-f]{0,4}$)|2002::|fe[89ab]|fe[c-f]|f[cd]|ff)/.test(host);
}
