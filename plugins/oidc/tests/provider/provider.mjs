// A provider of OpenID Connect with the pages for logins that oidc-provider has for development.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Provider } from "oidc-provider";

const { port, clients, people } = JSON.parse(process.argv[2]);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients,
  jwks: { keys: [key] },
  cookies: { keys: ["a key of cookies for tests"] },
  scopes: ["openid", "profile", "email", "groups"],
  claims: {
    openid: ["sub"],
    profile: ["name", "preferred_username"],
    email: ["email", "email_verified"],
    groups: ["groups"],
  },
  features: { backchannelLogout: { enabled: true } },
  // By default it calls no address of the machine itself.
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
});
provider.listen(port, "127.0.0.1", () => console.log("ready"));
