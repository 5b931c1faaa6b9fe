package pkgen;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticationException;
import org.apache.tinkerpop.gremlin.server.auth.Authenticator;

/** Takes one name and one password by SASL PLAIN. */
public final class CosmosAuthenticator implements Authenticator {
    private String user;
    private String password;

    @Override
    public boolean requireAuthentication() {
        return true;
    }

    @Override
    public void setup(Map<String, Object> config) {
        user = (String) config.get("user");
        password = (String) config.get("password");
    }

    @Override
    public AuthenticatedUser authenticate(Map<String, String> credentials) throws AuthenticationException {
        if (!user.equals(credentials.get("username")) || !password.equals(credentials.get("password"))) {
            throw new AuthenticationException("Unauthorized: Invalid credentials provided");
        }
        return new AuthenticatedUser(user);
    }

    @Override
    public SaslNegotiator newSaslNegotiator(InetAddress remote) {
        return new SaslNegotiator() {
            private AuthenticatedUser found;

            @Override
            public byte[] evaluateResponse(byte[] response) throws AuthenticationException {
                String[] parts = new String(response, StandardCharsets.UTF_8).split("\0", -1);
                if (parts.length != 3) {
                    throw new AuthenticationException("not SASL PLAIN");
                }
                found = authenticate(Map.of("username", parts[1], "password", parts[2]));
                return null;
            }

            @Override
            public boolean isComplete() {
                return found != null;
            }

            @Override
            public AuthenticatedUser getAuthenticatedUser() {
                return found;
            }
        };
    }
}
