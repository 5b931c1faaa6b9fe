//! Checks of provisioned throughput.

use std::collections::HashMap;

use azure_core::http::headers::{HeaderName, HeaderValue};
use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::{ContainerProperties, ThroughputProperties};
use azure_data_cosmos::options::{CreateDatabaseOptions, OperationOptionsBuilder, ThroughputOptions};
use serde_json::json;

use crate::fixture::{create, raises, unique};
use crate::runner::{Checks, Failure, Outcome};
use crate::same;

/// Returns the throughput of a container.
async fn throughput(container: &ContainerClient) -> Result<ThroughputProperties, Failure> {
    Ok(container.read_throughput(None).await?.ok_or("no throughput")?)
}

async fn replace(container: &ContainerClient, throughput: ThroughputProperties) -> Outcome {
    container.begin_replace_throughput(throughput, None).await?.await?;
    Ok(())
}

pub fn add(checks: &mut Checks) {
    checks.area("throughput");

    checks.works("read, replace", |c| async move {
        let container = c.provisioned(ThroughputProperties::manual(400)).await?;
        same!(throughput(&container).await?.throughput(), Some(400));
        let poller = container.begin_replace_throughput(ThroughputProperties::manual(700), None).await?;
        same!(poller.await?.into_model()?.throughput(), Some(700));
        same!(throughput(&container).await?.throughput(), Some(700));
        Ok(())
    });

    checks.works("read: a container without a value of its own has 400 RU/s", |c| async move {
        same!(throughput(&c.container().await?).await?.throughput(), Some(400));
        Ok(())
    });

    checks.works("read: a database without throughput has none", |c| async move {
        same!(c.database.read_throughput(None).await?.is_none(), true);
        Ok(())
    });

    checks.works("replace: steps of 100, and not too low", |c| async move {
        let container = c.provisioned(ThroughputProperties::manual(400)).await?;
        for wrong in [450, 100] {
            raises(replace(&container, ThroughputProperties::manual(wrong)).await, 400)?;
        }
        same!(throughput(&container).await?.throughput(), Some(400));
        raises(c.provisioned(ThroughputProperties::manual(450)).await, 400)?;
        Ok(())
    });

    checks.works("autoscale, replace", |c| async move {
        let container = c.provisioned(ThroughputProperties::autoscale(4000, None)).await?;
        let got = throughput(&container).await?;
        same!(got.autoscale_maximum(), Some(4000));
        replace(&container, ThroughputProperties::autoscale(7000, None)).await?;
        same!(throughput(&container).await?.autoscale_maximum(), Some(7000));
        Ok(())
    });

    checks.works("manual to autoscale, autoscale to manual: by a header of the program", |c| async move {
        let container = c.provisioned(ThroughputProperties::manual(400)).await?;
        let to = |header: &'static str| {
            let headers = HashMap::from([(HeaderName::from_static(header), HeaderValue::from_static("true"))]);
            Some(
                ThroughputOptions::default()
                    .with_operation_options(OperationOptionsBuilder::new().with_custom_headers(headers).build()),
            )
        };
        let asked = to("x-ms-cosmos-migrate-offer-to-autopilot");
        container.begin_replace_throughput(ThroughputProperties::manual(400), asked).await?.await?;
        same!(throughput(&container).await?.autoscale_maximum(), Some(1000));
        let asked = to("x-ms-cosmos-migrate-offer-to-manual-throughput");
        container.begin_replace_throughput(ThroughputProperties::autoscale(1000, None), asked).await?.await?;
        let got = throughput(&container).await?;
        same!((got.autoscale_maximum(), got.throughput()), (None, Some(1000)));
        Ok(())
    });

    checks.area("databases");

    checks.works("throughput: shared by containers, by a header of the program", |c| async move {
        let headers =
            HashMap::from([(HeaderName::from_static("x-ms-offer-throughput"), HeaderValue::from_static("600"))]);
        let options = OperationOptionsBuilder::new().with_custom_headers(headers).build();
        let id = unique();
        c.client.create_database(&id, Some(CreateDatabaseOptions::default().with_operation_options(options))).await?;
        let database = c.client.database_client(id);
        same!(database.read_throughput(None).await?.and_then(|t| t.throughput()), Some(600));
        database.begin_replace_throughput(ThroughputProperties::manual(800), None).await?.await?;
        same!(database.read_throughput(None).await?.and_then(|t| t.throughput()), Some(800));
        database.create_container(ContainerProperties::new("c", "/pk".into()), None).await?;
        let container = database.container_client("c", None).await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        same!(container.read_throughput(None).await?.is_none(), true);
        database.delete(None).await?;
        Ok(())
    });
}
