//! What the explorer of the emulator does for checks: merges, faults and changes of regions.

use reqwest::{Certificate, Client, Method};
use serde_json::{Value, json};

use crate::fixture::{Context, endpoint, variable};
use crate::runner::{Failure, Outcome};

pub struct Explorer {
    client: Client,
    url: String,
    token: String,
}

impl Explorer {
    pub async fn of(c: &Context) -> Result<Self, Failure> {
        Self::at(&endpoint(&c.connection)?).await
    }

    /// Returns the explorer of the emulator at an address.
    pub async fn at(endpoint: &str) -> Result<Self, Failure> {
        let certificate = std::fs::read(variable("INTEROP_CERTIFICATE")?)?;
        let client = Client::builder().tls_certs_merge([Certificate::from_pem(&certificate)?]).build()?;
        let url = format!("{}/_explorer/", endpoint.trim_end_matches('/'));
        let page = client.get(&url).send().await?.text().await?;
        let token = page.split("explorer-token\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        let token = token.ok_or("no token in the page of the explorer")?.to_string();
        Ok(Explorer { client, url, token })
    }

    /// Sends a request to the API of the explorer.
    pub async fn send(&self, method: Method, path: &str, body: Value) -> Result<Value, Failure> {
        let request = self.client.request(method, format!("{}api/{path}", self.url));
        let answer = request.header("X-Explorer-Token", &self.token).body(body.to_string()).send().await?;
        Ok(serde_json::from_str(&answer.error_for_status()?.text().await?)?)
    }

    /// Adds a fault that acts until clear.
    pub async fn fault(&self, fault: Value) -> Outcome {
        self.send(Method::POST, "faults", fault).await?;
        Ok(())
    }

    /// Removes all faults.
    pub async fn clear(&self) -> Outcome {
        let account = self.send(Method::GET, "account", json!({})).await?;
        for fault in account["faults"].as_array().ok_or("no faults")? {
            self.send(Method::DELETE, &format!("faults?id={}", fault["id"]), json!({})).await?;
        }
        Ok(())
    }
}
