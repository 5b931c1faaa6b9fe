//! Checks of provisioned throughput.

use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::ThroughputProperties;

use crate::fixture::raises;
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
}
